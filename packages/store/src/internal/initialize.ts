import { Bytes, type ChainAlias, Id } from '@firn/codec'
import { type Genesis, type Networks, XChainGenesis } from '@firn/genesis'
import { type Change, LedgerState } from '@firn/ledger'
import { type Partitions, type Session, StoreError } from '@firn/sql'
import { AvmBlock } from '@firn/txs'
import type { Accepted } from '../Accepted.ts'
import * as NetworkRules from '../NetworkRules.ts'
import { Batch } from './Batch.ts'
import type { Followed } from './load.ts'
import { makePartitions } from './makePartitions.ts'
import { write } from './write.ts'

/**
 * Stores the network and the genesis in an empty database. Otherwise checks that the database holds the same network
 * and that its blocks follow the same upgrade times, and updates the rules. Returns which chains are followed.
 */
export async function initialize(
  session: Session,
  partitions: Partitions,
  genesis: Genesis.Genesis,
  constants: Networks.Constants,
  asked: { readonly [Name in keyof Followed]?: Followed[Name] | undefined },
): Promise<Followed> {
  const [row] = await session.query(
    `select network_id, genesis_id, upgrades, settings, follows_c_chain, follows_x_chain,
        (select max(time) from cursor) as time
      from network`,
  )
  const { networkId, genesisId } = genesis
  const { upgrades, settings } = NetworkRules.format(constants)
  const rules = [JSON.stringify(upgrades), JSON.stringify(settings)]
  if (row !== undefined) {
    assertSame(row['genesis_id'] as Uint8Array, genesis)
    const stored = NetworkRules.parse(networkId, row as unknown as NetworkRules.Rules)
    NetworkRules.assertSamePast(stored.upgrades, constants.upgrades, row['time'] as bigint)
    const wasC = row['follows_c_chain'] as boolean
    const wasX = row['follows_x_chain'] as boolean
    const { followsCChain = wasC, followsXChain = wasX } = asked
    if (followsCChain !== wasC) await assertUnused(session, 'C', wasC)
    if (followsXChain !== wasX) await assertUnused(session, 'X', wasX)
    await session.query(
      'update network set upgrades = $1, settings = $2, follows_c_chain = $3, follows_x_chain = $4',
      [...rules, followsCChain, followsXChain],
    )
    return { followsCChain, followsXChain }
  }
  const { followsCChain = true, followsXChain = true } = asked
  await session.query(
    `insert into network (network_id, genesis, genesis_id, upgrades, settings, follows_c_chain, follows_x_chain)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [networkId, genesis.bytes, genesisId, ...rules, followsCChain, followsXChain],
  )
  const batch = genesisBatch(genesis, constants)
  partitions.add(await makePartitions(session, partitions, {}, batch.cursors))
  await write(session, batch)
  return { followsCChain, followsXChain }
}

/**
 * Checks that nothing depends on whether a chain was followed so far: it has no blocks, and nothing was imported.
 * @throws StoreError `STORE_C_CHAIN`, `STORE_X_CHAIN`
 */
async function assertUnused(session: Session, chain: 'C' | 'X', wasFollowed: boolean): Promise<void> {
  const [row] = await session.query(
    `select height > 0 or (not $1 and exists (select from transaction where name = 'ImportTx')) as used
      from cursor where chain = $2`,
    [wasFollowed, chain],
  )
  if (row?.['used'] !== true) return
  const message = wasFollowed
    ? `the database was filled with the ${chain}-chain and cannot go on without it; use a source that has the ${chain}-chain, or index into an empty database`
    : `the database was filled without the ${chain}-chain, so the inputs of imports from it are missing; use a source without the ${chain}-chain, or index into an empty database`
  throw new StoreError(`STORE_${chain}_CHAIN`, message, {
    details: { [`follows${chain}Chain`]: wasFollowed },
  })
}

function assertSame(stored: Uint8Array, { genesisId }: Genesis.Genesis): void {
  if (Bytes.equals(stored, genesisId)) return
  const details = { expected: Id.format(stored), actual: Id.format(genesisId) }
  const message = `this database holds another network: its genesis is ${details.expected}, got ${details.actual}`
  throw new StoreError('STORE_NETWORK', message, { details })
}

function genesisBatch(genesis: Genesis.Genesis, constants: Networks.Constants): Batch {
  const batch = new Batch({})
  let changes: Change.Change[] = []
  for (const change of LedgerState.genesisChanges(genesis, constants)) {
    changes.push(change)
    // The changes of each chain end with its tip.
    if (change.type !== 'tip' || change.after === undefined) continue
    const { chain } = change.after
    batch.addGenesis(chain, changes, firstBlock(chain, genesis, constants, changes))
    changes = []
  }
  return batch
}

/** Returns block 0 of a chain, or undefined for the C-chain, whose block 0 is unknown. */
function firstBlock(
  chain: ChainAlias,
  genesis: Genesis.Genesis,
  { upgrades }: Networks.Constants,
  changes: readonly Change.Change[],
): Accepted | undefined {
  if (chain === 'C') return undefined
  if (chain === 'P') return { chain, bytes: genesis.firstBlock.bytes, parentId: genesis.genesisId, changes }
  const { cortinaXChainStopVertexId: stop, cortina } = upgrades
  const parentId = Bytes.isZero(stop) ? XChainGenesis.emptyStopVertexId(genesis.xChain.blockchainId) : stop
  const bytes = XChainGenesis.firstBlock(parentId, cortina)
  return { chain, bytes, parentId: AvmBlock.decode(bytes).parentID, changes }
}
