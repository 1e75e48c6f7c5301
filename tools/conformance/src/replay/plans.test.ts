import { Id, NodeId } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import type { Archive } from './Archive.ts'
import * as Comparison from './Comparison.ts'
import { callOf, type Exchange } from './Exchange.ts'
import * as masks from './masks.ts'
import * as plans from './plans.ts'

const node = (number: number) => NodeId.format(Uint8Array.of(number, ...new Uint8Array(19)))
const archive = {
  genesis: {
    platform: { validators: [{ unsignedTx: { validator: { nodeID: NodeId.parse(node(1)) } } }] },
    cChain: { blockchainId: Id.EMPTY },
  },
} as unknown as Archive

/** Creates an exchange with a result, or with an error if no result is given. */
function exchange(method: string, result?: object, params: object = {}): Exchange {
  const request = { httpMethod: 'POST', path: '', headers: {}, body: JSON.stringify({ method, params }) }
  const body = JSON.stringify(result === undefined ? { error: {} } : { result })
  return { name: '', port: 0, ...callOf(request), request, answer: { status: 200, headers: [], body } }
}

const validators = (...numbers: readonly number[]) =>
  exchange('platform.getCurrentValidators', { validators: numbers.map((it) => ({ nodeID: node(it) })) })
const uptime = (isValidator: boolean) =>
  exchange('info.uptime', isValidator ? { rewardingStakePercentage: '1.0000' } : undefined)

describe('the recorded node', () => {
  it('identifies the recorded node by the times at which it reported its uptime as a validator', () => {
    const recordings = [
      [validators(1, 3), uptime(false)],
      [validators(1, 2, 3), uptime(true)],
      [validators(1, 2), uptime(true)],
    ]
    expect(plans.identify(archive, recordings)).toBe(node(2))
  })

  it('selects the first validator of the genesis if all or none of the validators match', () => {
    expect(plans.identify(archive, [[validators(2, 1), uptime(true)]])).toBe(node(1))
    expect(plans.identify(archive, [[validators(1), uptime(false)]])).toBe(node(1))
  })
})

it('tracks the subnets whose chains the recorded node ran at the time of the recording', () => {
  const [mine, other] = [Id.format(Id.hash(Uint8Array.of(1))), Id.format(Id.hash(Uint8Array.of(2)))]
  const chain = (blockchainId: string, subnetId: string, status: string) => [
    exchange('platform.getBlockchainStatus', { status }, { blockchainID: blockchainId }),
    exchange('platform.validatedBy', { subnetID: subnetId }, { blockchainID: blockchainId }),
  ]
  const exchanges = [
    ...chain('x', Id.format(Id.EMPTY), 'Validating'),
    ...chain('y', mine, 'Validating'),
    ...chain('z', other, 'Created'),
  ]
  expect(plans.forPointInTime(archive, node(1), exchanges, 7).nodes[7]?.tracks).toEqual([mine])
})

describe('exceptions for point-in-time recordings', () => {
  const facts = { isValidator: () => true }
  const rules = { masks: masks.POINT_IN_TIME.masks, ignoredHeaders: 'all' as const, facts }
  const compare = (method: string, expected: object, actual: object, params: object = {}) =>
    Comparison.compare(exchange(method, expected, params), exchange(method, actual).answer, rules).outcome
      .status
  const [one, two] = [{ validators: [1, 2] }, { validators: [2, 1] }]

  it('accepts a different order of validators only if several NodeIDs were requested', () => {
    const several = { nodeIDs: [node(1), node(2)] }
    expect(compare('platform.getCurrentValidators', one, two, several)).toBe('passed')
    expect(compare('platform.getCurrentValidators', one, two)).toBe('failed')
    expect(compare('platform.getCurrentValidators', one, { validators: [1] }, several)).toBe('failed')
  })

  it('accepts a different order of reward UTXOs but rejects different UTXOs', () => {
    const [utxos, others] = [
      ['0x01', '0x02'],
      ['0x02', '0x03'],
    ]
    expect(compare('platform.getRewardUTXOs', { utxos }, { utxos: utxos.toReversed() })).toBe('passed')
    expect(compare('platform.getRewardUTXOs', { utxos }, { utxos: others })).toBe('failed')
  })

  it('accepts a different status only for a chain that the node did not run', () => {
    const status = (expected: string, actual: string) =>
      compare('platform.getBlockchainStatus', { status: expected }, { status: actual })
    expect(status('Syncing', 'Created')).toBe('passed')
    expect(status('Created', 'Validating')).toBe('passed')
    expect(status('Validating', 'Created')).toBe('failed')
    expect(status('Created', 'Unknown')).toBe('failed')
  })

  it('accepts a different uptime as observed by peers, but not a missing one', () => {
    const [member, method] = ['rewardingStakePercentage', 'info.uptime']
    expect(compare(method, { [member]: '1.0000' }, { [member]: '98.5000' })).toBe('passed')
    expect(compare(method, { [member]: '1.0000' }, {})).toBe('failed')
  })
})
