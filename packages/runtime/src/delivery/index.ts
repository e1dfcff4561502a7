export {
  type Delivery,
  findDeliveryFault,
  gatesOn,
  openDelivery,
  openHouse,
  type DeliveredOutcome,
  receiptFor,
  requestFor,
} from './deliver.ts';
export { type DeliveredTree, deliverTree } from './deliver-tree.ts';
export type { Draft } from './draft.ts';
