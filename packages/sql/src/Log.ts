import type { Logger } from '@firn/runtime'

/** A destination of log lines, such as a pino logger. */
export type Log = Pick<Logger, 'info' | 'warn'>
