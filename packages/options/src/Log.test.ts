import type { Logger } from '@firn/runtime'
import { describe, expect, test } from 'vitest'
import * as Log from './Log.ts'

describe('formatEvent', () => {
  test('formats the fields of an event in parentheses', () => {
    const facts = { chain: '43113', height: 37n, isLate: false }
    expect(Log.formatEvent(facts, 'reached the head')).toBe(
      'reached the head (chain 43113, height 37, isLate false)',
    )
  })

  test('omits nested objects, and fields whose value the event text already contains', () => {
    const facts = { upstream: '127.0.0.1:9650', blocks: [1, 2], nothing: undefined, empty: '' }
    expect(Log.formatEvent(facts, 'connecting to 127.0.0.1:9650')).toBe('connecting to 127.0.0.1:9650')
  })

  test('formats an error in the fields as its message', () => {
    expect(Log.formatEvent({ err: new RangeError('no answer') }, 'a node does not answer')).toBe(
      'a node does not answer (reason no answer)',
    )
  })
})

describe('create', () => {
  const logged = (terminal: object, work: (log: Logger) => void): readonly string[] => {
    const lines: string[] = []
    const note = (line: string) => void lines.push(line)
    const { signal } = new AbortController()
    work(Log.create({ print: note, note, isInteractive: false, signal, ...terminal }, () => 0))
    return lines
  }
  const all = (log: Logger) => {
    log.debug({}, 'detail')
    log.info({ height: 12n }, 'reached the head')
    log.warn({ err: new Error('refused') }, 'a node does not answer')
  }

  test('writes JSON with level names if the output is not a terminal', () => {
    const lines = logged({}, all).map((line) => JSON.parse(line) as unknown)
    expect(lines).toEqual([
      { level: 'info', time: '1970-01-01T00:00:00.000Z', height: '12', msg: 'reached the head' },
      expect.objectContaining({ level: 'warn', err: expect.objectContaining({ message: 'refused' }) }),
    ])
  })

  test('writes readable warnings at a terminal, and lower levels only on request', () => {
    const warning = '00:00:00 warn  a node does not answer (reason refused)'
    expect(logged({ isInteractive: true }, all)).toEqual([warning])
    const info = '00:00:00 info  reached the head (height 12)'
    expect(logged({ isInteractive: true, logLevel: 'info' }, all)).toEqual([info, warning])
  })

  test('colors only the level, and only if colors are allowed', () => {
    const [line] = logged({ isInteractive: true, isColored: true }, all)
    expect(line).toContain('\u001b[33mwarn ')
    expect(logged({ isInteractive: true }, all)[0]).not.toContain('\u001b')
  })
})

describe('toReadable', () => {
  test('makes JSON lines readable at a terminal, and otherwise keeps them unchanged', () => {
    const json = '{"level":"INFO","time":"1970-01-01T00:00:09Z","pid":7,"msg":"started","port":1}\n'
    const write = (isTTY: boolean) =>
      Log.toReadable({ write: (text) => text, isTTY }, { NO_COLOR: '1' }).write(json)
    expect([write(true), write(false)]).toEqual(['00:00:09 info  started (port 1)\n', json])
  })
})
