import { Id } from '@firn/codec'
import type { Change } from '@firn/ledger'
import { type PlatformBlock, PlatformTx, type UnsignedTx } from '@firn/txs'
import { expect, test } from 'vitest'
import * as Blockchains from '../blockchains/Blockchains.ts'
import { eachDatabase } from '../testing/databases.ts'
import { adding, commitInvented, inventedSubnet } from '../testing/invented.ts'
import { load } from '../testing/recordings.ts'
import * as Utxos from '../utxos/index.ts'
import { Writer } from '../Writer.ts'
import * as Subnets from './Subnets.ts'

const { genesis, constants } = load('local')
const OWNER = { type: 'OutputOwners', locktime: 0n, threshold: 1, addresses: [] } as const
const EMPTY = new Uint8Array()

function txOf(unsignedTx: UnsignedTx.UnsignedTx): PlatformTx.PlatformTx {
  return { unsignedTx, credentials: [] }
}

const base = { networkID: genesis.networkId, blockchainID: Id.EMPTY, outputs: [], inputs: [], memo: EMPTY }
const createSubnet = txOf({ type: 'CreateSubnetTx', ...base, owner: OWNER })
const subnetId = PlatformTx.id(PlatformTx.encode(createSubnet))
const createChain = txOf({
  type: 'CreateChainTx',
  ...base,
  subnetID: subnetId,
  chainName: 'one',
  vmID: Id.EMPTY,
  fxIDs: [],
  genesisData: EMPTY,
  subnetAuthorization: { type: 'Input', signatureIndices: [] },
})
const blockchainId = PlatformTx.id(PlatformTx.encode(createChain))

function accepted(tx: PlatformTx.PlatformTx, position: number): Change.Change {
  const bytes = PlatformTx.encode(tx)
  const place = { chain: 'P', height: 1n, position, status: 'Committed' } as const
  return { type: 'transaction', txId: PlatformTx.id(bytes), name: tx.unsignedTx.type, bytes, ...place }
}

eachDatabase(({ open }) => {
  test('returns the proposal block for subnets, blockchains and outputs that an option block created', async () => {
    const store = await open()
    const opened = await Writer.open(store, genesis, constants)
    const reward = txOf({ type: 'RewardValidatorTx', txID: Id.EMPTY })
    const time = genesis.platform.timestamp
    const proposal: PlatformBlock.PlatformBlock = {
      type: 'BanffProposalBlock',
      ...{ time, parentID: Id.EMPTY, height: 1n, tx: reward, txs: [createSubnet, createChain] },
    }
    const chain = { blockchainId, name: 'one', subnetId, vmId: Id.EMPTY, fxIds: [], height: 2n, ordinal: 0 }
    const utxo = { txID: subnetId, outputIndex: 0, assetID: genesis.avaxAssetId }
    const output = { type: 'TransferOutput', amount: 1n, locktime: 0n, threshold: 1, addresses: [] } as const
    const made = {
      id: Id.hash(EMPTY),
      chain: 'P',
      source: 'P',
      origin: 'output',
      rewardTxId: undefined,
    } as const
    await commitInvented(opened, [
      { platform: { proposal } },
      {
        platform: { proposal: undefined },
        changes: [
          adding('subnet', inventedSubnet({ subnetId, height: 2n })),
          adding('chain', chain),
          adding('utxo', { ...made, utxo: { ...utxo, output }, height: 2n, ordinal: 0 }),
          ...[createSubnet, createChain].map(accepted),
        ],
      },
    ])
    const at = await store.snapshot()
    const query = { after: undefined, order: 'desc', limit: 10 } as const
    expect(await Subnets.page(store, at, query)).toMatchObject([{ subnet: { subnetId }, blockHeight: 1n }])
    expect(await Subnets.detailsById(store, at, subnetId)).toMatchObject({ blockHeight: 1n })
    expect(await Blockchains.detailsById(store, at, blockchainId)).toMatchObject({ blockHeight: 1n })
    expect(await Utxos.made(store, at, [subnetId])).toMatchObject([{ height: 2n, block: { height: 1n } }])
  })
})
