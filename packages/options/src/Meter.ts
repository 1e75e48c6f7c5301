/**
 * Progress at a terminal. It has its own entry point, because most commands do not show any.
 *
 * @module
 */

import { progress } from '@clack/prompts'
import type { Terminal } from './Terminal.ts'

/** Progress to display: a fraction and a text. */
export type Reading = {
  /** Fraction of the work that is done, from 0 to 1. */
  readonly part: number
  readonly text: string
}

/** Shows a progress bar on a terminal, and otherwise a plain line every few seconds. */
export type Meter = {
  stop(text: string): void
  fail(text: string): void
}

const PLAIN_INTERVAL_MS = 5_000
const MOVING_INTERVAL_MS = 100
const STEPS = 1_000

const parts = (seconds: number): readonly (readonly [number, string])[] => [
  [Math.floor(seconds / 86_400), 'd'],
  [Math.floor(seconds / 3_600) % 24, 'h'],
  [Math.floor(seconds / 60) % 60, 'min'],
  [Math.ceil(seconds) % 60, 's'],
]

/**
 * Formats a duration in its two largest units, such as `3 d 4 h` or `2 min 5 s`.
 *
 * @example
 * ```ts
 * import * as Meter from '@firn/options/meter'
 *
 * Meter.duration(125) // '2 min 5 s'
 * ```
 */
export const duration = (seconds: number): string => {
  const whole = parts(Math.ceil(seconds))
  const first = whole.findIndex(([value]) => value > 0)
  if (first < 0) return '0 s'
  const shown = whole.slice(first, first + 2).filter(([value]) => value > 0)
  return shown.map(([value, unit]) => `${value} ${unit}`).join(' ')
}

/**
 * Ends the process with the status of an interrupt at Ctrl-C. The progress bar would end it with status 0,
 * which means success.
 */
const markInterrupted = () => {
  process.exitCode = 130
}

const bar = (title: string, read: () => Reading): Meter => {
  const moving = progress({ max: STEPS, output: process.stderr, withGuide: false })
  let shown = 0
  process.on('exit', markInterrupted)
  moving.start(title)
  const timer = setInterval(() => {
    const { part, text } = read()
    const at = Math.round(part * STEPS)
    moving.advance(Math.max(at - shown, 0), text)
    shown = Math.max(at, shown)
  }, MOVING_INTERVAL_MS)
  const end = () => {
    clearInterval(timer)
    process.off('exit', markInterrupted)
  }
  return {
    stop(text) {
      end()
      moving.stop(text)
    },
    fail(text) {
      end()
      moving.error(text)
    },
  }
}

/**
 * Shows the progress of work until the meter is stopped.
 *
 * @example
 * ```ts
 * import { Program } from '@firn/options'
 * import * as Meter from '@firn/options/meter'
 *
 * let done = 0
 * const terminal = Program.terminalOf(process)
 * const meter = Meter.start(terminal, 'copying', () => ({ part: done / 10, text: `${done} of 10 files` }))
 * done = 10
 * meter.stop('copied 10 files')
 * ```
 */
export const start = (terminal: Terminal, title: string, read: () => Reading): Meter => {
  if (terminal.isInteractive) return bar(title, read)
  const timer = setInterval(() => terminal.note(`${title}: ${read().text}`), PLAIN_INTERVAL_MS)
  return { stop: () => clearInterval(timer), fail: () => clearInterval(timer) }
}
