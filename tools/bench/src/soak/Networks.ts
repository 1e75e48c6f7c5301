import { setTimeout as sleep } from 'node:timers/promises'
import { createDemo, startLocalEvm } from '@firn/demo-chain'
import { createDevnet, type Devnet, FundedWallet } from '@firn/devnet'
import { TestPostgres } from '@firn/sql/testing'
import { AvmBuilder, PlatformBuilder, Signing, Wallet } from '@firn/txs'
import * as JsonRpc from './JsonRpc.ts'
import * as UpstreamProxy from './UpstreamProxy.ts'

/** Chain id of the local EVM. */
export const EVM_CHAIN_ID = 4_242
/** Network id of the devnet. */
export const NETWORK_ID = 54_321

const VALIDATORS = 8
const EVM_BLOCK_MS = 2_000
const FIRST_BLOCKS = 10
const TRANSFER_MS = 5_000
const AMOUNT = 1_000_000n
const RECEIVER = new Uint8Array(20).fill(5)

/** Everything outside of the services: networks that grow, upstreams that can fail, and a database. */
export interface Networks {
  readonly devnet: Devnet
  /** Upstream of the Primary Network. */
  readonly primary: UpstreamProxy.UpstreamProxy
  /** Upstream of the EVM chain. */
  readonly evm: UpstreamProxy.UpstreamProxy
  readonly database: TestPostgres.Server
  /** An account of the EVM chain, and a token that it holds. */
  readonly account: string
  readonly token: string
  /** Replaces the newest blocks of the EVM chain by others. */
  reorg(depth: number): Promise<void>
  /** Accepts transactions and EVM blocks until the signal is aborted. */
  grow(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Starts the networks and a PostgreSQL server. @throws Error if PostgreSQL is missing */
export async function start(signal: AbortSignal): Promise<Networks> {
  const endings: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const end of endings.splice(0).toReversed()) await end()
  }
  try {
    const database = await TestPostgres.start([])
    endings.push(() => database.close())
    const devnet = await createDevnet({
      buildBlocks: true,
      networkId: NETWORK_ID,
      validators: VALIDATORS,
      l1s: [{ name: 'game', validators: VALIDATORS }],
    })
    endings.push(() => devnet.close())
    await devnet.warm()
    const primary = await UpstreamProxy.start(devnet.rpcUrl)
    endings.push(() => primary.close())
    const genesisTime = Math.floor(Date.now() / 1_000) - 60
    const anvil = await startLocalEvm({ chainId: EVM_CHAIN_ID, genesisTime, signal })
    endings.push(() => anvil.close())
    const demo = await createDemo(anvil.url)
    // Faults may replace the newest blocks from the beginning.
    for (let block = 0; block < FIRST_BLOCKS; block++) await demo.block()
    const evm = await UpstreamProxy.start(anvil.url)
    endings.push(() => evm.close())
    return {
      devnet,
      primary,
      evm,
      database,
      account: demo.accounts[0] as string,
      token: demo.contracts.token,
      reorg: async (depth) => {
        await JsonRpc.call(anvil.url, 'anvil_reorg', [depth, []])
      },
      grow: async (until) => {
        const transfers = repeat(TRANSFER_MS, until, async (round) => transfer(devnet, round))
        await Promise.all([transfers, repeat(EVM_BLOCK_MS, until, () => demo.block())])
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function repeat(ms: number, signal: AbortSignal, act: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    await act(round)
    await sleep(ms, undefined, { signal }).catch(() => undefined)
  }
}

/** Issues a transfer on the P-chain and the X-chain in turns. */
function transfer(devnet: Devnet, round: number): void {
  const { builder } = devnet
  if (builder === undefined) return
  const owners = Wallet.soleOwner(RECEIVER)
  if (round % 2 === 0) {
    const wallet = FundedWallet.platform(builder)
    const output = { assetID: wallet.avaxAssetId, amount: AMOUNT, owners }
    const draft = PlatformBuilder.transfer(wallet, [output])
    devnet.issue('P', Signing.encode(Signing.sign(draft, [FundedWallet.KEY])))
  } else {
    const wallet = FundedWallet.avm(builder)
    const output = { assetID: wallet.avaxAssetId, amount: AMOUNT, owners }
    const draft = AvmBuilder.transfer(wallet, [output])
    devnet.issue('X', Signing.encode(Signing.sign(draft, [FundedWallet.KEY])))
  }
}
