/**
 * Reports the longest pause of a program: of itself, which does nothing, or of one that loads it (`--import`). A message
 * begins a measurement, the next one ends it.
 */
import { longestPause, watchPauses } from './loopPauses.ts';

let isWatching = false;

process.on('message', () => {
  if (isWatching) process.send?.(longestPause());
  else watchPauses();
  isWatching = !isWatching;
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
