import type { Settings } from '../../../shared/model/settings';
import { request } from '../../bridge/request';
import { told } from '../../stores/toast-store';

/** Asks main to store settings; the event that follows shows them. */
export function changeSettings(change: Partial<Settings>): void {
  void told(request('settings.change', change));
}
