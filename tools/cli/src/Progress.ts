import { spinner } from '@clack/prompts'
import type { Terminal } from '@firn/options'

const PLAIN_INTERVAL_MS = 5_000
const MOVING_INTERVAL_MS = 100

/**
 * Ends the process with the status of an interrupt at Ctrl-C. The spinner would end it with status 0, which
 * means success.
 */
const markInterrupted = () => {
  process.exitCode = 130
}

const elapsed = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`

/**
 * Runs `work` and returns its result. Meanwhile, a terminal shows `title` and the elapsed time. Without a
 * terminal, a plain line is printed at once and then every few seconds.
 */
export const during = async <T>(terminal: Terminal, title: string, work: () => Promise<T>): Promise<T> => {
  const since = performance.now()
  const moving = terminal.isInteractive ? spinner({ output: process.stderr, withGuide: false }) : undefined
  const tell = () =>
    moving ? moving.message(`${title}, ${elapsed(since)}`) : terminal.note(`${title}, ${elapsed(since)}`)
  if (moving) process.on('exit', markInterrupted)
  if (moving) moving.start(title)
  else terminal.note(title)
  const timer = setInterval(tell, moving ? MOVING_INTERVAL_MS : PLAIN_INTERVAL_MS)
  try {
    const result = await work()
    moving?.stop(`${title}: ${elapsed(since)}`)
    return result
  } catch (error) {
    moving?.error(`${title}: failed after ${elapsed(since)}`)
    throw error
  } finally {
    clearInterval(timer)
    process.off('exit', markInterrupted)
  }
}
