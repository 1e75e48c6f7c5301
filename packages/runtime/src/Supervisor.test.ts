import { describe, expect, it } from 'vitest'
import type { Clock } from './Clock.ts'
import { type SuperviseOptions, supervise } from './Supervisor.ts'

const coded = (code: string, message: string) => Object.assign(new Error(message), { code })

/** Runs steps one after the other, of which each is an error to throw or undefined, and then stops. */
const run = async (steps: readonly (unknown | undefined)[], options: Partial<SuperviseOptions> = {}) => {
  const stop = new AbortController()
  const lines: string[] = []
  const pauses: number[] = []
  const reported: (string | undefined)[] = []
  const clock: Clock = { now: () => 0, sleep: async (ms) => void pauses.push(ms) }
  const line = (level: string) => (_facts: object, message: string) => void lines.push(`${level} ${message}`)
  const log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  let turns = 0
  const step = async () => {
    const error = steps[turns++]
    if (turns >= steps.length) stop.abort()
    if (error !== undefined) throw error
  }
  const report = (problem: string | undefined) => void reported.push(problem)
  const own = { effect: 'nothing is cleaned', clock, random: () => 1, log, report }
  await supervise(step, { ...own, ...options }, stop.signal)
  return { lines, pauses, reported, turns }
}

describe('supervise', () => {
  it('goes on after every kind of error, with growing pauses', async () => {
    const { pauses, turns } = await run([
      new TypeError('a bug'),
      'text',
      null,
      coded('DISK', 'full'),
      undefined,
    ])
    expect(turns).toBe(5)
    expect(pauses).toEqual([100, 200, 400, 800])
  })

  it('reports a problem from the third failure on, until a step succeeds', async () => {
    const full = coded('DISK', 'full')
    const { reported } = await run([full, undefined, full, full, full, full, undefined, undefined])
    expect(reported).toEqual(['nothing is cleaned: full', 'nothing is cleaned: full', undefined])
  })

  it('reports no problem of work that has ended', async () => {
    const full = coded('DISK', 'full')
    const { reported } = await run([full, full, full, full])
    expect(reported).toEqual(['nothing is cleaned: full', undefined])
  })

  it('logs an error that stays the same once, and errors without a code as bugs', async () => {
    const full = coded('DISK', 'full')
    const { lines } = await run([full, full, full, new RangeError('odd'), undefined, full, undefined])
    expect(lines).toEqual([
      'warn nothing is cleaned: full',
      'error nothing is cleaned: odd (a bug)',
      'warn nothing is cleaned: full',
    ])
  })

  it('ends without a failure if the work is no longer its own', async () => {
    const isOver = (error: unknown) => error instanceof Error && error.message === 'fenced'
    const { turns, lines } = await run([coded('STORE_FENCED', 'fenced'), undefined, undefined], { isOver })
    expect([turns, lines]).toEqual([1, []])
  })
})
