import { Hex, Id, type Json } from '@firn/codec'
import { PlatformMethods } from '@firn/rpc'
import { Recordings, recordedStore } from '@firn/store/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { createLedgerClients, type LedgerClients } from './LedgerClients.ts'
import { recordedSets } from './testing/platformReplay.ts'

const { genesis, constants } = Recordings.load('local')
let clients: LedgerClients
beforeAll(async () => {
  clients = createLedgerClients({ store: await recordedStore('local'), genesis, constants })
})

describe('createLedgerClients', () => {
  it('returns the validator sets of all subnets at every height as the recorded node', async () => {
    const { result } = PlatformMethods['platform.getValidatorsAt']
    let compared = 0
    for (const { height, bySubnet } of recordedSets()) {
      for (const [subnetId, expected] of Object.entries(bySubnet)) {
        const params = { height: BigInt(height), subnetID: Id.parse(subnetId) }
        const set = await clients.platform.call('platform.getValidatorsAt', params)
        expect(texts(set)).toEqual(texts(result.parse(memberOf(expected), 'result')))
        compared += set.size
      }
    }
    expect(compared).toBeGreaterThan(500)
  })

  it('returns the heights and the epoch of the P-chain', async () => {
    const { height } = await clients.platform.call('platform.getHeight')
    expect([height, await clients.platform.call('platform.getProposedHeight')]).toEqual([85n, { height }])
    const epoch = await clients.proposerVm.call('proposervm.getCurrentEpoch')
    expect(epoch.pChainHeight).toBeLessThanOrEqual(height)
  })

  it('throws the errors of a node, and the reason of an aborted call', async () => {
    const future = clients.platform.call('platform.getValidatorsAt', { height: 86n, subnetID: Id.EMPTY })
    await expect(future).rejects.toMatchObject({
      code: 'RPC_REMOTE',
      details: { rpcMessage: expect.stringContaining('unfinalized height') },
    })
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(clients.platform.call('platform.getHeight', {}, { signal })).rejects.toThrow('stopped')
  })
})

/** Returns the `result` of a recorded response, or the value itself. */
function memberOf(value: Json.Json): Json.Json {
  return typeof value === 'object' && value !== null && 'result' in value
    ? (value as { result: Json.Json }).result
    : value
}

function texts(set: ReadonlyMap<string, { readonly publicKey: Uint8Array | null; readonly weight: bigint }>) {
  return [...set]
    .map(([nodeId, { publicKey, weight }]) => [nodeId, publicKey && Hex.encode(publicKey), weight])
    .sort()
}
