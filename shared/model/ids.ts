import { z } from 'zod';

/** Branded ids: one schema each, whose inferred type keeps ids of different things apart. */
export const sessionId = z.uuid().brand<'SessionId'>();
export type SessionId = z.infer<typeof sessionId>;

/** Minted by the composer for user messages, so that a repeated send is a no-op. */
export const messageId = z.uuid().brand<'MessageId'>();
export type MessageId = z.infer<typeof messageId>;

export const branchId = z.int().positive().brand<'BranchId'>();
export type BranchId = z.infer<typeof branchId>;

export const turnId = z.int().positive().brand<'TurnId'>();
export type TurnId = z.infer<typeof turnId>;

export const attemptId = z.int().positive().brand<'AttemptId'>();
export type AttemptId = z.infer<typeof attemptId>;

export const summaryId = z.int().positive().brand<'SummaryId'>();
export type SummaryId = z.infer<typeof summaryId>;

export const pinId = z.uuid().brand<'PinId'>();
export type PinId = z.infer<typeof pinId>;

export const providerId = z.string().min(1).max(200).brand<'ProviderId'>();
export type ProviderId = z.infer<typeof providerId>;

export const toolServerId = z.uuid().brand<'ToolServerId'>();
export type ToolServerId = z.infer<typeof toolServerId>;

export const instanceId = z.uuid().brand<'InstanceId'>();
export type InstanceId = z.infer<typeof instanceId>;

/** Names one model of one provider. `model` is the name the provider gives it (for embedded: the file's path). */
export const modelRef = z.object({ providerId, model: z.string().min(1).max(2_000) });
export type ModelRef = z.infer<typeof modelRef>;
