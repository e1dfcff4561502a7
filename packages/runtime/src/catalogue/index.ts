export { type Catalogue, type Entry, openCatalogue } from './catalogue.ts';
export { isDrivenNow, type RunStanding, standingOf } from './standing.ts';
