import type { LogReader } from './LogReader.ts'
import type { Submissions } from './Submissions.ts'

/** The message log as the HTTP interface uses it: queries, and signatures that others hand in. */
export interface MessageLog extends LogReader, Submissions {}
