import { Id, Json } from '@firn/codec'
import { Recordings } from '@firn/store/testing'
import { expect, test } from 'vitest'
import { answerOf, type ContextOptions } from '../testing/chainReplay.ts'
import { platformContext, platformService } from '../testing/platformReplay.ts'

const L1_CHAIN = 'vJHF8BhQ6B2CLVLfoAUX4b2PnTRy4VXWUSaVgCNYZNfSZUnNY'
const L1_SUBNET = '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW'
const REWARDED = '2BdSYsgYEvHVri1RMMryUT2FZGqNAZzoTA9YXHPTGfybZCqPgM'
const UNKNOWN = Id.format(new Uint8Array(32).fill(1))

async function ask(
  method: string,
  params: object,
  options: ContextOptions & { readonly port?: number } = {},
) {
  const service = platformService(await platformContext('local', options))
  const request = Json.stringify({
    jsonrpc: '2.0',
    method: `platform.${method}`,
    params: params as Json.Json,
    id: 1,
  })
  const { result, error } = Json.parse((await answerOf(service, request)) ?? '') as {
    readonly result?: { readonly [member: string]: Json.Json }
    readonly error?: { readonly message: string }
  }
  return error?.message ?? result
}

test.each<[string, object, string]>([
  ['validatedBy', { blockchainID: L1_SUBNET }, `"${L1_SUBNET}" is not a blockchain`],
  ['validatedBy', { blockchainID: UNKNOWN }, `problem retrieving blockchain "${UNKNOWN}": not found`],
  ['validates', { subnetID: L1_CHAIN }, `"${L1_CHAIN}" is not a subnet`],
  ['validates', { subnetID: UNKNOWN }, `problem retrieving subnet "${UNKNOWN}": not found`],
  [
    'getRewardUTXOs',
    { txID: REWARDED, encoding: 'json' },
    "couldn't encode utxo as json: unsupported encoding in method",
  ],
  ['getBlock', { blockID: UNKNOWN }, `couldn't get block with id ${UNKNOWN}: not found`],
  ['getBlockByHeight', { height: 86 }, "couldn't get block at height 86: not found"],
  ['getTx', { txID: UNKNOWN }, "couldn't get tx: not found"],
  ['getSubnet', { subnetID: UNKNOWN }, 'not found'],
  ['getSubnet', { subnetID: L1_CHAIN }, `"${L1_CHAIN}" is not a subnet`],
  ['getSubnets', { ids: [L1_SUBNET, UNKNOWN, L1_CHAIN] }, `"${L1_CHAIN}" is not a subnet`],
  ['getSubnet', {}, "the primary network isn't a subnet"],
  [
    'getMinStake',
    { subnetID: L1_SUBNET },
    `failed fetching subnet transformation for ${L1_SUBNET}: not found`,
  ],
  [
    'getBlockchainStatus',
    { blockchainID: 'Y' },
    'problem parsing blockchainID "Y": input string is smaller than the checksum size',
  ],
  [
    'getValidatorsAt',
    { height: 86, subnetID: L1_SUBNET },
    `failed to get validator set at 86: failed to fetch validator set at unfinalized height with SubnetID = ${L1_SUBNET}: current P-chain height (85) < requested P-Chain height (86)`,
  ],
  ['issueTx', { tx: '0x00' }, 'problem decoding transaction: input string is smaller than the checksum size'],
  ['issueTx', { tx: 'zz', encoding: 'json' }, 'problem decoding transaction: unsupported encoding in method'],
  [
    'issueTx',
    { tx: '0x00', encoding: 'hexnc' },
    'issuing a transaction needs an upstream node or peers; start with --upstream or --bootstrap-ids',
  ],
])('returns an error for %s with the parameters %j: %s', async (method, params, message) => {
  expect(await ask(method, params)).toBe(message)
})

test("returns no blocks or UTXOs from above the snapshot's height", async () => {
  const options = { heights: { P: 20n } }
  expect(await ask('getHeight', {}, options)).toEqual({ height: '20' })
  expect(await ask('getBlockByHeight', { height: 21 }, options)).toBe(
    "couldn't get block at height 21: not found",
  )
  expect(await ask('getRewardUTXOs', { txID: REWARDED }, options)).toMatchObject({
    numFetched: '0',
    utxos: [],
  })
  expect(await ask('getRewardUTXOs', { txID: REWARDED })).toMatchObject({ numFetched: '1' })
  expect(await ask('validates', { subnetID: L1_SUBNET }, options)).toContain('not found')
  expect(await ask('getTxStatus', { txID: L1_SUBNET }, options)).toEqual({ status: 'Unknown' })
  expect(await ask('getTx', { txID: L1_SUBNET }, options)).toBe("couldn't get tx: not found")
  expect(await ask('getBlockchainStatus', { blockchainID: L1_CHAIN }, options)).toEqual({ status: 'Syncing' })
})

test('reports a chain as validating, syncing, created or unknown', async () => {
  const status = (blockchainId: string, port?: number) =>
    ask('getBlockchainStatus', { blockchainID: blockchainId }, port === undefined ? {} : { port })
  expect(await status(L1_CHAIN)).toEqual({ status: 'Validating' })
  expect(await status(L1_CHAIN, 9660)).toEqual({ status: 'Syncing' })
  expect(await status('2vDabvKCnMNTt1UcHxbyaYDnjNErSfPbL5TfnkFLmWGRjrY7V5')).toEqual({ status: 'Created' })
  expect(await status(L1_SUBNET)).toEqual({ status: 'Unknown' })
})

test('returns genesis transactions and their status by id', async () => {
  const { genesis } = Recordings.load('local')
  const text = Id.format(genesis.xChain.blockchainId)
  const { tx } = (await ask('getTx', { txID: text, encoding: 'json' })) as {
    tx: { id: string; unsignedTx: { genesisData: string } }
  }
  expect(tx.id).toBe(text)
  expect(Buffer.from(tx.unsignedTx.genesisData, 'base64')).toEqual(Buffer.from(genesis.xChain.genesisData))
  expect(await ask('getTxStatus', { txID: text })).toEqual({ status: 'Committed' })
})
