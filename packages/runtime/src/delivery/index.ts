export { gatesOn, makeDeliver, receiptFor, requestFor } from './deliver.ts';
export { type DeliveredTree, deliverTree } from './deliver-tree.ts';
