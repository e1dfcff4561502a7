export { type AdvisorRequest, findStrategyFault, openAdvisor } from './advisor.ts';
export { gateSubject, moduleFault } from './faults.ts';
export { locateModule } from './locate.ts';
export { openModuleProcess } from './process.ts';
