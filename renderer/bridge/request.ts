import { AppError } from '../../shared/errors';
import type { Bridge } from '../../shared/ipc/bridge';
import type { Input, Output, RouteName } from '../../shared/ipc/contract';

declare global {
  interface Window {
    /** Put there by the preload. */
    readonly palimpsest: Bridge;
  }
}

/** The input as the page gives it: dropped files travel as `File` objects, which the preload counts and takes out. */
export type PageInput<R extends RouteName> = {
  [K in keyof Input<R>]: K extends 'files' ? Input<R>[K] | readonly File[] : Input<R>[K];
};

/**
 * Asks main. Answers the route's output.
 * @throws AppError with main's code and fields when the request was refused.
 */
export async function request<R extends RouteName>(route: R, input: PageInput<R>): Promise<Output<R>> {
  const reply = await window.palimpsest.request(route, input);
  if (!reply.ok) throw new AppError(reply.code, reply.fields);
  return reply.value as Output<R>;
}

/** Any thrown thing as an AppError, so that it can be put into a sentence. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal', { message: thrown instanceof Error ? thrown.message : String(thrown) }, thrown);
}
