/** What a reader of the dashboard may see. */
import type { DashboardMessage } from '../../../src/ui/dashboard/messages.ts';
import type { DashboardSnapshot } from '../../../src/ui/dashboard/view.ts';
import { shown } from '../steps.ts';
import { states } from './samples.ts';

export const scenes = shown<DashboardMessage, DashboardSnapshot>(states);
