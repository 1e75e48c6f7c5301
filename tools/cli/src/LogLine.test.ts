import { describe, expect, it } from 'vitest'
import * as Database from './commands/Database.ts'
import { formatLogLine } from './LogLine.ts'

describe('formatLogLine', () => {
  it('shows the facts of an event in parentheses', () => {
    const facts = { chain: '43113', height: 37n, isLate: false }
    expect(formatLogLine(facts, 'reached the head')).toBe(
      'reached the head (chain 43113, height 37, isLate false)',
    )
  })

  it('leaves out structures and what the event says itself', () => {
    const facts = { upstream: '127.0.0.1:9650', blocks: [1, 2], nothing: undefined, empty: '' }
    expect(formatLogLine(facts, 'connecting to 127.0.0.1:9650')).toBe('connecting to 127.0.0.1:9650')
  })

  it('shows the message of an error', () => {
    expect(formatLogLine({ err: new RangeError('no answer') }, 'a node does not answer')).toBe(
      'a node does not answer (reason no answer)',
    )
  })
})

describe('logger', () => {
  it('prints facts at the terminal', () => {
    const lines: string[] = []
    const terminal = {
      print: () => undefined,
      note: (line: string) => void lines.push(line),
      isInteractive: false,
      signal: new AbortController().signal,
    }
    const log = Database.logger(terminal)
    log.info({ chain: '4242', height: '12' }, 'reached the head')
    log.warn({ from: '9', to: '7' }, 'the chain was rewritten')
    expect(lines).toEqual([
      'reached the head (chain 4242, height 12)',
      'warning: the chain was rewritten (from 9, to 7)',
    ])
  })
})
