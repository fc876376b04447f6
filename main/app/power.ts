import { powerMonitor } from 'electron';
import { Emitter } from '../lib/emitter';

/** What the machine did. `suspend` and `resume` may never come; sleep is also seen from the clocks. */
export type PowerEvent = 'suspend' | 'resume' | 'lock' | 'unlock' | 'on-battery' | 'on-ac';

/** True while the machine is known to run on its battery. */
export const onBattery = (): boolean => powerMonitor.isOnBatteryPower();

/** Electron's power events as one list. Only after the app is ready. */
export function watchPower(): Emitter<PowerEvent> {
  const power = new Emitter<PowerEvent>();
  powerMonitor.on('suspend', () => power.emit('suspend'));
  powerMonitor.on('resume', () => power.emit('resume'));
  powerMonitor.on('lock-screen', () => power.emit('lock'));
  powerMonitor.on('unlock-screen', () => power.emit('unlock'));
  powerMonitor.on('on-battery', () => power.emit('on-battery'));
  powerMonitor.on('on-ac', () => power.emit('on-ac'));
  return power;
}
