import { Address, Bytes, type ChainAlias } from '@firn/codec'
import { PrivateKey, PublicKey } from '@firn/keys'
import { LedgerState } from '@firn/ledger'
import type { AtomicBuilder, AvmBuilder, Coins, PlatformBuilder } from '@firn/txs'
import { Gas, Wallet } from '@firn/txs'
import type { BlockBuilder } from './BlockBuilder.ts'
import * as EvmAccounts from './EvmAccounts.ts'
import { BASE_FEE } from './EvmBlocks.ts'

/** The public test key that owns the funds of the local network, and of each devnet that builds blocks. */
export const KEY: Uint8Array = PrivateKey.parse(
  'PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN',
)
/** Address of {@link KEY} on the P- and X-chain. */
export const ADDRESS: Uint8Array = PublicKey.address(PrivateKey.publicKey(KEY))
/** Address of {@link KEY} on the C-chain. */
export const EVM_ADDRESS: Uint8Array = PublicKey.evmAddress(PrivateKey.publicKey(KEY))
/** {@link ADDRESS} as the sole owner of an output. */
export const OWNER: ReturnType<typeof Wallet.soleOwner> = Wallet.soleOwner(ADDRESS)

type Source = Pick<BlockBuilder, 'rules' | 'state'>

/** Factor applied to the current price, so that a transaction stays valid while the price rises. */
const BID = 2n

/** Returns the address of the funded key on a chain as text. */
export function address({ rules }: Pick<Source, 'rules'>, chain: ChainAlias): string {
  return Address.format({ chain, hrp: rules.constants.hrp, payload: ADDRESS })
}

/** Returns the UTXOs of the funded key on a chain that came from `source`. */
export function utxos({ state }: Source, chain: ChainAlias, source: ChainAlias = chain): Coins.AnyUtxo[] {
  return [...state.tables.utxo.ordered()].flatMap((record) => {
    const { output } = record.utxo
    const owner = output.type === 'LockOut' ? output.output : output
    const isOwn = 'addresses' in owner && owner.addresses.some((address) => Bytes.equals(address, ADDRESS))
    return record.chain === chain && record.source === source && isOwn ? [record.utxo as Coins.AnyUtxo] : []
  })
}

/** Returns the funded key's wallet for the P-chain. */
export function platform(source: Source): PlatformBuilder.PlatformWallet {
  const { weights, ...config } = source.rules.constants.dynamicFee
  const excess = LedgerState.tip(source.state, 'P').platform?.gas.excess ?? 0n
  const gasPrice = BID * Gas.price({ ...config, excess })
  return { ...common(source, 'P'), fees: { weights, gasPrice }, utxos: utxos(source, 'P') }
}

/** Returns the funded key's wallet for the X-chain. */
export function avm(source: Source): AvmBuilder.AvmWallet {
  const { constants, genesis } = source.rules
  const fees = { tx: constants.txFee, createAsset: constants.createAssetTxFee }
  return {
    ...common(source, 'X'),
    fees,
    blockchainId: genesis.xChain.blockchainId,
    utxos: utxos(source, 'X'),
  }
}

/** Returns the funded key's wallet for imports from `from` to the C-chain, and for exports. */
export function atomic(source: Source, from: ChainAlias = 'P'): AtomicBuilder.AtomicWallet {
  const { blockchainId } = source.rules.genesis.cChain
  return { ...common(source, 'C'), baseFee: BASE_FEE, blockchainId, utxos: utxos(source, 'C', from) }
}

/** Returns the funded key's account on the C-chain. */
export function account({ accounts }: Pick<BlockBuilder, 'accounts'>): AtomicBuilder.Account {
  return { address: EVM_ADDRESS, ...EvmAccounts.get(accounts, EVM_ADDRESS) }
}

function common({ rules, state }: Source, chain: ChainAlias) {
  const { networkId, avaxAssetId } = rules.genesis
  return { networkId, avaxAssetId, addresses: [ADDRESS], time: LedgerState.tip(state, chain).time }
}
