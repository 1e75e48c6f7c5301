/** A line that a logger of this process has written. */
export interface LogEvent {
  /** Time in milliseconds since 1970. */
  readonly time: number
  readonly level: string
  readonly message: string
  readonly facts: object
}

/** Name of the diagnostics channel of Node.js on which loggers publish each {@link LogEvent}, if anyone subscribes. */
export const CHANNEL = 'firn.log'
