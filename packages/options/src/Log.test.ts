import { describe, expect, test } from 'vitest'
import * as Log from './Log.ts'

describe('formatEvent', () => {
  test('shows the facts of an event in parentheses', () => {
    const facts = { chain: '43113', height: 37n, isLate: false }
    expect(Log.formatEvent(facts, 'reached the head')).toBe(
      'reached the head (chain 43113, height 37, isLate false)',
    )
  })

  test('omits structures, and facts that the event already contains', () => {
    const facts = { upstream: '127.0.0.1:9650', blocks: [1, 2], nothing: undefined, empty: '' }
    expect(Log.formatEvent(facts, 'connecting to 127.0.0.1:9650')).toBe('connecting to 127.0.0.1:9650')
  })

  test('shows the message of an error', () => {
    expect(Log.formatEvent({ err: new RangeError('no answer') }, 'a node does not answer')).toBe(
      'a node does not answer (reason no answer)',
    )
  })
})

describe('create', () => {
  const logged = (terminal: object, work: (log: Log.Logger) => void): readonly string[] => {
    const lines: string[] = []
    const note = (line: string) => void lines.push(line)
    const { signal } = new AbortController()
    work(Log.create({ print: note, note, isInteractive: false, signal, ...terminal }, () => 0))
    return lines
  }
  const all = (log: Log.Logger) => {
    log.debug({}, 'detail')
    log.info({ height: 12n }, 'reached the head')
    log.warn({ err: new Error('gone') }, 'a node does not answer')
  }

  test('writes JSON with level names if not at a terminal', () => {
    const lines = logged({}, all).map((line) => JSON.parse(line) as unknown)
    expect(lines).toEqual([
      { level: 'info', time: '1970-01-01T00:00:00.000Z', height: '12', msg: 'reached the head' },
      expect.objectContaining({ level: 'warn', err: expect.objectContaining({ message: 'gone' }) }),
    ])
  })

  test('writes readable warnings at a terminal, and more if requested', () => {
    const warning = '00:00:00 warn  a node does not answer (reason gone)'
    expect(logged({ isInteractive: true }, all)).toEqual([warning])
    const info = '00:00:00 info  reached the head (height 12)'
    expect(logged({ isInteractive: true, logLevel: 'info' }, all)).toEqual([info, warning])
  })

  test('colors the level only if allowed', () => {
    const [line] = logged({ isInteractive: true, isColored: true }, all)
    expect(line).toContain('\u001b[33mwarn ')
    expect(logged({ isInteractive: true }, all)[0]).not.toContain('\u001b')
  })
})

describe('toReadable', () => {
  test('rewrites JSON at a terminal, and otherwise leaves it unchanged', () => {
    const json = '{"level":"INFO","time":"1970-01-01T00:00:09Z","pid":7,"msg":"started","port":1}\n'
    const write = (isTTY: boolean) =>
      Log.toReadable({ write: (text) => text, isTTY }, { NO_COLOR: '1' }).write(json)
    expect([write(true), write(false)]).toEqual(['00:00:09 info  started (port 1)\n', json])
  })
})
