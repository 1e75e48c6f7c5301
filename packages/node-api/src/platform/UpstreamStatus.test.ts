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
  [
    'a dropped one with its reason',
    { status: 'Dropped', reason: 'why' },
    { status: 'Dropped', reason: 'why' },
  ],
  ['a waiting one', { status: 'Processing' }, { status: 'Processing' }],
  ['an unknown one', { status: 'Unknown' }, { status: 'Unknown' }],
  ['one that is accepted there and on its way here', { status: 'Committed' }, { status: 'Processing' }],
  ['one that was aborted there', { status: 'Aborted' }, { status: 'Processing' }],
  ['what is no status', { status: 'Great' }, { status: 'Unknown' }],
])('the upstream tells of %s', async (_name, told, status) => {
  expect(await UpstreamStatus.of({ upstream: saying(() => told), log }, TX)).toEqual(status)
})

test.each<[string, () => never]>([
  [
    'that is down',
    () => {
      throw new NodeError('NODE_UPSTREAM', 'expected an answer, got none')
    },
  ],
  [
    'that refuses',
    () => {
      throw methodError('no')
    },
  ],
])('an upstream %s tells nothing', async (_name, answer) => {
  expect(await UpstreamStatus.of({ upstream: saying(answer), log }, TX)).toEqual({ status: 'Unknown' })
})

test('without an upstream nothing is known', async () => {
  expect(await UpstreamStatus.of({ upstream: undefined, log }, TX)).toEqual({ status: 'Unknown' })
})
