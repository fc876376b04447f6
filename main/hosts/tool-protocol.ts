import type { ErrorCode } from '../../shared/errors';
import type { LeftOutReason } from '../../shared/model/tools';

/** What main and the tool host say to each other, beyond what every stream says. Rules: main/hosts/README.md. */

/** How a tool server is reached. Secrets travel only here, for this one server. */
export type ServerLaunch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** What the user entered for it; nothing else of this app's environment but the usual few reaches it. */
      readonly variables: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'http'; readonly url: string; readonly token: string | null };

/** Runs one tool server for as long as the stream is open: a cancel ends it with all that it started. */
export interface ServerJob {
  readonly kind: 'tool-server';
  readonly server: string;
  readonly launch: ServerLaunch;
  /** What this app calls itself to it. */
  readonly appVersion: string;
  /** Milliseconds in which it must have said what it is and which tools it has. */
  readonly startMs: number;
}

/** Calls one tool of a running server; the text of its result is streamed. */
export interface CallJob {
  readonly kind: 'tool-call';
  readonly server: string;
  readonly tool: string;
  /** Of the tool as it was offered: one that has changed since is not called. */
  readonly fingerprint: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A folder that the user granted, by the name under which the model knows it. */
export interface GrantedFolder {
  readonly name: string;
  /** Absolute, without symbolic links when it was granted. */
  readonly path: string;
}

/** Streams lines of one text file in a granted folder. `path` begins with the folder's name. */
export interface ReadFileJob {
  readonly kind: 'read-file';
  readonly folders: readonly GrantedFolder[];
  /** Folders of the app itself: nothing in them is read. */
  readonly closed: readonly string[];
  readonly path: string;
  /** First line, counted from 1, and how many at most. */
  readonly from: number;
  readonly lines: number;
}

/** Streams where words stand in file names and text files of granted folders. */
export interface SearchFolderJob {
  readonly kind: 'search-folder';
  readonly folders: readonly GrantedFolder[];
  readonly closed: readonly string[];
  /** A folder's name, or a path that begins with one; null = all of them. */
  readonly under: string | null;
  readonly query: string;
}

/** Streams the names of granted folders that are not there now, one a line. */
export interface GoneFoldersJob {
  readonly kind: 'gone-folders';
  readonly folders: readonly GrantedFolder[];
}

export type ToolJob = ServerJob | CallJob | ReadFileJob | SearchFolderJob | GoneFoldersJob;
/** True for a job that only reads files. */
export function isFileJob(job: ToolJob): job is ReadFileJob | SearchFolderJob | GoneFoldersJob {
  return job.kind === 'read-file' || job.kind === 'search-folder' || job.kind === 'gone-folders';
}

/** A tool as its server describes it, after a look at whether it can be offered at all. */
export interface HostedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Hash of name, description and schema. */
  readonly fingerprint: string;
}

/** Whole, each time the list has changed. */
export interface ToolsFrame {
  readonly t: 'tools';
  /** What the server calls itself, with its version. */
  readonly title: string;
  readonly tools: readonly HostedTool[];
  readonly leftOut: readonly { readonly name: string; readonly why: LeftOutReason }[];
}

/** The last lines that a server wrote to its error output, whole each time; what the user entered is masked. */
export interface StderrFrame {
  readonly t: 'stderr';
  readonly lines: readonly string[];
}

/** One line of a running call for the user. */
export interface ProgressFrame {
  readonly t: 'progress';
  readonly line: string;
}

/** Sizes in bytes of UTF-8 where nothing else is said. Source: design, "tool host". */
export const TOOL_LIMITS = {
  /** One message of a server. */
  messageBytes: 4_000_000,
  /** One result: what is more is cut with a mark. */
  resultBytes: 1_000_000,
  /** Messages and bytes of one server in a second: more is a flood. */
  messagesPerSecond: 1_000,
  bytesPerSecond: 32_000_000,
  /** Of its error output, which is for people to read. */
  errorBytesPerSecond: 4_000_000,
  tools: 128,
  schemaBytes: 64_000,
  /** All tools of a server together. */
  listBytes: 500_000,
  nameChars: 128,
  descriptionChars: 4_000,
  stderrLines: 40,
  stderrLineChars: 300,
  progressChars: 200,
} as const;

/** What can be wrong with a server, as the name of a failure: the codes under which users read of it. */
export type ServerFault = Extract<ErrorCode, 'tool-no-command' | 'tool-not-started' | `tool-server-${string}`>;

/** Names of failures of one call. */
export const TOOL_ERROR = 'ToolError';
export const TOOL_CHANGED = 'ToolChanged';
