import type { AvaxMethods, AvmMethods, IndexMethods, ProposerVmMethods, WalletMethods } from '../layouts.ts'
import { type Documentation, ENCODING, GET_UTXOS, ISSUE_TX } from './Documentation.ts'

const txId = 'Id of the transaction.'
const balance = {
  address: 'The address, such as `X-avax1…`.',
  includePartial: 'Whether to count outputs that have several owners or are locked; false by default.',
} as const

/** The documentation of the X-chain's methods. */
export const AVM: Documentation<typeof AvmMethods> = {
  'avm.getAllBalances': {
    summary: 'Returns the balance of an address in each of its assets.',
    params: balance,
  },
  'avm.getBalance': {
    summary: 'Returns the balance of an address in one asset, and the outputs that it consists of.',
    params: { ...balance, assetID: 'Id or alias of the asset, such as `AVAX`.' },
  },
  'avm.getAssetDescription': {
    summary: 'Returns the name, symbol and number of decimals of an asset.',
    params: { assetID: 'Id or alias of the asset, such as `AVAX`.' },
  },
  'avm.getBlock': {
    summary: 'Returns a block by its id.',
    params: { blockID: 'Id of the block.', encoding: ENCODING },
  },
  'avm.getBlockByHeight': {
    summary: 'Returns the accepted block at a height.',
    params: { height: 'Height of the block.', encoding: ENCODING },
  },
  'avm.getHeight': { summary: 'Returns the height of the last accepted block.' },
  'avm.getTx': { summary: 'Returns a transaction by its id.', params: { txID: txId, encoding: ENCODING } },
  'avm.getTxFee': { summary: 'Returns the fees of a transaction and of the creation of an asset, in nAVAX.' },
  'avm.getTxStatus': { summary: 'Returns whether a transaction is accepted.', params: { txID: txId } },
  'avm.getUTXOs': GET_UTXOS,
  'avm.issueTx': ISSUE_TX,
}

/** The documentation of the X-chain's wallet API. */
export const WALLET: Documentation<typeof WalletMethods> = { 'wallet.issueTx': ISSUE_TX }

/** The documentation of the C-chain's methods for imports and exports. */
export const AVAX: Documentation<typeof AvaxMethods> = {
  'avax.getAtomicTx': {
    summary: 'Returns an import or export by its id, and the height of its block.',
    params: { txID: txId, encoding: ENCODING },
  },
  'avax.getAtomicTxStatus': {
    summary: 'Returns the status of an import or export, and the height of its block.',
    params: { txID: txId },
  },
  'avax.getUTXOs': GET_UTXOS,
  'avax.issueTx': ISSUE_TX,
}

/** The documentation of the proposervm's methods. */
export const PROPOSER_VM: Documentation<typeof ProposerVmMethods> = {
  'proposervm.getProposedHeight': {
    summary: 'Returns the P-chain height that the next block of the chain would contain.',
  },
  'proposervm.getCurrentEpoch': {
    summary: 'Returns the current epoch: its number, its start in Unix seconds, and its P-chain height.',
  },
}

const byId = { id: 'Id of the container.', encoding: ENCODING } as const

/** The documentation of the Index API. */
export const INDEX: Documentation<typeof IndexMethods> = {
  'index.getContainerByID': { summary: 'Returns an accepted block or transaction by its id.', params: byId },
  'index.getContainerByIndex': {
    summary: 'Returns the accepted block or transaction at an index.',
    params: { index: 'Index of the container, from 0.', encoding: ENCODING },
  },
  'index.getContainerRange': {
    summary: 'Returns consecutive accepted blocks or transactions.',
    params: {
      startIndex: 'Index of the first container.',
      numToFetch: 'Number of containers, at most 1,024.',
      encoding: ENCODING,
    },
  },
  'index.getIndex': { summary: 'Returns the index of a block or transaction.', params: byId },
  'index.getLastAccepted': {
    summary: 'Returns the last accepted block or transaction.',
    params: { encoding: ENCODING },
  },
  'index.isAccepted': { summary: 'Returns whether a block or transaction is accepted.', params: byId },
}
