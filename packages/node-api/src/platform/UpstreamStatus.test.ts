import { Id } from '@firn/codec'
import { expect, test } from 'vitest'
import { NodeError } from '../NodeError.ts'
import { methodError } from '../Service.ts'
import type { Upstream } from '../Upstream.ts'
import * as UpstreamStatus from './UpstreamStatus.ts'

const TX = new Uint8Array(32).fill(7)
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

function saying(answer: () => unknown): Upstream {
  const method: Upstream['method'] = async (path, name, params) => {
    expect([path, name, params]).toEqual(['/ext/bc/P', 'platform.getTxStatus', { txID: Id.format(TX) }])
    return answer()
  }
  return { method } as Upstream
}

test.each<[string, unknown, object]>([
  ['dropped, with its reason', { status: 'Dropped', reason: 'why' }, { status: 'Dropped', reason: 'why' }],
  ['processing', { status: 'Processing' }, { status: 'Processing' }],
  ['unknown', { status: 'Unknown' }, { status: 'Unknown' }],
  ['accepted by the upstream but not yet by this node', { status: 'Committed' }, { status: 'Processing' }],
  ['aborted by the upstream but not yet by this node', { status: 'Aborted' }, { status: 'Processing' }],
  ['an invalid status', { status: 'Great' }, { status: 'Unknown' }],
])("maps the upstream's status of a transaction: %s", async (_name, answer, status) => {
  expect(await UpstreamStatus.of({ upstream: saying(() => answer), log }, TX)).toEqual(status)
})

test.each<[string, () => never]>([
  [
    'is down',
    () => {
      throw new NodeError('NODE_UPSTREAM', 'expected an answer, got none')
    },
  ],
  [
    'returns an error',
    () => {
      throw methodError('no')
    },
  ],
])('returns Unknown when the upstream %s', async (_name, answer) => {
  expect(await UpstreamStatus.of({ upstream: saying(answer), log }, TX)).toEqual({ status: 'Unknown' })
})

test('returns Unknown if no upstream is configured', async () => {
  expect(await UpstreamStatus.of({ upstream: undefined, log }, TX)).toEqual({ status: 'Unknown' })
})
