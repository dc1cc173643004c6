/** npm run simulate: prints the table "A simulated day" in docs/performance.md. */
import { simulationTable } from '../test/support/simulation/table.ts';

console.log(simulationTable({ seed: 23, agents: 5, hours: 8 }));
