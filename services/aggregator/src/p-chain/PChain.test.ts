import { readFileSync } from 'node:fs'
import { Id, NodeId } from '@firn/codec'
import { createClient, InfoMethods, PlatformMethods } from '@firn/rpc'
import { ValidatorSet } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import { createPChain } from './PChain.ts'

interface Exchange {
  readonly path: string
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Recorded responses of a node (avalanchego 1.14.2, network 12345). */
const EXCHANGES: readonly Exchange[] = JSON.parse(
  readFileSync(new URL('../../vectors/node-api.json', import.meta.url), 'utf8'),
)
const L1 = '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW'
const CONVERTED = '2Kg9PRgtodF9GBiqv69ZkXN74W3EAdwKK9Xhuu6nGousUEMS85'
const WITH_INACTIVE = '2rSRygQRuxWUWMTGauxwiYJnden2aMumiCoDFLHjDNrYD2bNvK'
const EMPTY = '2Kvoq4myymT8tiUXPSc3ya67quhhbin4kbjgaDkABAc548jazt'
const UNKNOWN = '2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ'

const sorted = (params: object) =>
  JSON.stringify(
    Object.entries(params)
      .map(([name, value]) => [name, String(value)])
      .sort(),
  )

/**
 * Adds the Primary Network to parameters without a subnet, because a call without one means the Primary
 * Network.
 */
const withSubnet = ({ method, params }: Exchange) =>
  method === 'platform.getValidatorsAt' ? { subnetID: Id.format(Id.EMPTY), ...params } : params

const replay: typeof fetch = async (url, init) => {
  const { id, method, params } = JSON.parse(String(init?.body))
  const { pathname } = new URL(String(url))
  const found = EXCHANGES.find(
    (one) => one.path === pathname && one.method === method && sorted(withSubnet(one)) === sorted(params),
  )
  if (found === undefined) return new Response('404 page not found', { status: 404 })
  return new Response(JSON.stringify({ ...JSON.parse(found.body), id }))
}

const pChain = createPChain(
  createClient(PlatformMethods, { url: 'http://node/ext/bc/P', fetch: replay }),
  createClient(InfoMethods, { url: 'http://node/ext/info', fetch: replay }),
)

describe('recorded node responses', () => {
  it('decodes the network id and the heights', async () => {
    expect(await pChain.networkId()).toBe(12345)
    expect([await pChain.height(), await pChain.proposedHeight()]).toEqual([85n, 85n])
  })

  it('decodes validators, including the pooled weight of inactive L1 validators', async () => {
    const primary = await pChain.validatorsAt(Id.EMPTY, 84n)
    expect(primary?.length).toBeGreaterThanOrEqual(5)
    const nodes = (await pChain.validatorsAt(Id.parse(WITH_INACTIVE), 84n)) ?? []
    expect(nodes.find(({ publicKey }) => publicKey === null)).toEqual({
      nodeId: NodeId.EMPTY,
      publicKey: null,
      weight: 50n,
    })
    const set = ValidatorSet.create(nodes)
    expect(set.totalWeight).toBe(set.validators.reduce((sum, { weight }) => sum + weight, 50n))
    expect(await pChain.validatorsAt(Id.parse(EMPTY), 84n)).toEqual([])
  })

  it('returns undefined for a height that the node has not reached', async () => {
    expect(await pChain.validatorsAt(Id.EMPTY, 99_999n)).toBeUndefined()
  })

  it('decodes chains and subnets, and returns undefined for unknown chains and subnets', async () => {
    const cChain = Id.parse('2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC')
    expect(await pChain.subnetOf(cChain)).toEqual(Id.EMPTY)
    expect(await pChain.subnetOf(Id.parse('vJHF8BhQ6B2CLVLfoAUX4b2PnTRy4VXWUSaVgCNYZNfSZUnNY'))).toEqual(
      Id.parse(L1),
    )
    expect(await pChain.subnetOf(Id.parse(UNKNOWN))).toBeUndefined()
    expect(await pChain.subnet(Id.parse(UNKNOWN))).toBeUndefined()
    expect((await pChain.subnet(Id.parse(EMPTY)))?.isL1).toBe(false)
    expect(await pChain.subnet(Id.parse(CONVERTED))).toEqual({
      isL1: true,
      conversionId: Id.parse('bUqb4wc47N6ALe46UvWbhMLWSZaa6Yz3HWTnc9qKEvTLvb5K5'),
    })
  })

  it('decodes the balances of L1 validators, and returns no balance for validators of a permissioned subnet', async () => {
    const balances = async (subnet: string) =>
      (await pChain.currentValidators(Id.parse(subnet))).map(({ balance }) => balance)
    expect(await balances(WITH_INACTIVE)).toContain(0n)
    expect((await balances(L1)).every((balance) => balance !== undefined && balance > 0n)).toBe(true)
    expect(await balances('R8drMr6ua5vkXrU1663ksZixHkZanPoV4ndQNJdNDYV9iQXK7')).toEqual([
      undefined,
      undefined,
    ])
  })

  it('decodes the addresses of peers', async () => {
    const nodeId = NodeId.parse('NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ')
    expect(await pChain.peers([nodeId])).toEqual([{ nodeId, address: '127.0.0.1:9653' }])
  })

  it('throws AGGREGATOR_UPSTREAM when the upstream fails', async () => {
    await expect(pChain.validatorsAt(Id.EMPTY, 1n)).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM',
      cause: { code: 'RPC_HTTP' },
    })
  })

  it.each([
    ['fails', () => new Response('', { status: 500 })],
    ['returns a malformed result', () => Response.json({ jsonrpc: '2.0', id: 1, result: { height: {} } })],
  ])(
    'names an upstream that %s by its host, because the rest of its URL may contain a key',
    async (_, answer) => {
      const url = 'https://node.test/v1/secret/ext/bc/P?token=secret'
      const client = { url, fetch: async () => answer() }
      const failing = createPChain(createClient(PlatformMethods, client), createClient(InfoMethods, client))
      const text = await failing.height().catch((error: Error) => error.message)
      expect([text, String(text).includes('secret')]).toEqual([
        expect.stringContaining('at node.test '),
        false,
      ])
    },
  )
})
