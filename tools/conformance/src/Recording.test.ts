import { describe, expect, it } from 'vitest'
import type { RawCase } from './Case.ts'
import * as Recording from './Recording.ts'
import { change, leaves, readSamples } from './testing/samples.ts'

const recordings = readSamples<RawCase>('recordings')
const all = Object.values(recordings)
const named = (number: string): RawCase =>
  Object.entries(recordings).find(([name]) => name.startsWith(number))?.[1] ?? {}

describe('recorded exchanges', () => {
  it.each(Object.entries(recordings))(
    'recognizes the recording %s and finds no differences in it',
    (_name, raw) => {
      expect(Recording.isRecording(raw)).toBe(true)
      expect(Recording.run(raw, all)).not.toMatchObject({ status: 'failed' })
    },
  )

  it('checks signed and rejected requests, and skips all other requests with a reason', () => {
    const outcomes = ['005', '065', '080', '085', '171'].map((number) => Recording.run(named(number), all))
    expect(outcomes).toEqual(outcomes.map(() => ({ status: 'passed' })))
    for (const number of ['090', '153']) expect(Recording.run(named(number), all).status).toBe('skipped')
  })
})

/** Members that no check covers: descriptions, HTTP details, times, and positions of logs. */
const UNSEEN =
  /^(label|kind|exchange (method|headers|status|responseHeaders|seconds|path)|log (block|tx|logIndex))$/

describe.each(['001', '005', '025', '044', '057'])('recording %s', (number) => {
  it('fails if any checked value of the recording is changed', () => {
    const raw = named(number)
    const unseen = leaves(raw)
      .filter((path) => !UNSEEN.test(String(path[0])) && !UNSEEN.test(`${path[0]} ${path[1]}`))
      .filter((path) => Recording.run(change(raw, path) as RawCase, all).status !== 'failed')
    expect(unseen.map((path) => path.join('.'))).toEqual([])
  })
})

it('fails on a signed message that was recorded as malformed and rejected', () => {
  const raw = named('080')
  const request = (named('005')['exchange'] as RawCase)['requestBody']
  const altered = { ...raw, exchange: { ...(raw['exchange'] as RawCase), requestBody: request } }
  expect(Recording.run(altered, all).status).toBe('failed')
})
