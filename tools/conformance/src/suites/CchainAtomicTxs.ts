import { Hex, Id, Json } from '@firn/codec'
import { AtomicBatch, AtomicFees, AtomicRequests, AtomicSyntax, AtomicTx } from '@firn/txs'
import * as Case from '../Case.ts'
import { AVAX_ASSET_ID, C_CHAIN_ID, X_CHAIN_ID } from '../chains/context.ts'
import * as transactions from '../internal/transactions.ts'
import * as Suite from '../Suite.ts'

function assertSyntax(it: Case.Case, { unsignedTx }: AtomicTx.AtomicTx): void {
  const chain = { networkId: Case.number(it, 'networkID'), blockchainId: C_CHAIN_ID }
  AtomicSyntax.assertValid(unsignedTx, { ...chain, xChainId: X_CHAIN_ID, avaxAssetId: AVAX_ASSET_ID })
}

function idOf(tx: AtomicTx.AtomicTx): string {
  return Id.format(AtomicTx.id(AtomicTx.encode(tx)))
}

function checkJson(it: Case.Case, tx: AtomicTx.AtomicTx): void {
  Case.equals(it, 'json', Json.stringify(AtomicTx.toJSON(tx)))
  Case.equals(it, 'bytes', AtomicTx.encode(AtomicTx.fromJSON(Json.parse(Case.text(it, 'json')))))
}

function checkFees(it: Case.Case, tx: AtomicTx.AtomicTx): void {
  const gas = AtomicFees.gasUsed(tx)
  Case.equals(it, 'gasUsed', AtomicFees.contentGas(tx))
  Case.equals(it, 'gasUsedFixedFee', gas)
  Case.equals(it, 'burnedAVAX', AtomicFees.burned(tx, AVAX_ASSET_ID))
  Case.equals(it, 'effectiveGasPrice', AtomicFees.effectiveGasPrice(tx, AVAX_ASSET_ID))
  for (const fee of Case.records(it, 'fees')) {
    const baseFee = Case.bigint(fee, 'baseFee')
    Case.equals(fee, 'fee', AtomicFees.dynamicFee(gas, baseFee))
    const contribution = Case.attempt(() => AtomicFees.blockFeeContribution(tx, AVAX_ASSET_ID, baseFee))
    if (Case.has(fee, 'contributionError')) {
      Case.same('contributionError', Case.text(fee, 'contributionError') !== '', contribution === undefined)
    } else {
      Case.equals(fee, 'blockFeeContribution', contribution?.value)
      Case.equals(fee, 'contributionGas', gas)
    }
    Case.close(fee)
  }
}

function checkRequests(it: Case.Case, tx: AtomicTx.AtomicTx, txId: Uint8Array): void {
  const { chainId, remove, put } = AtomicRequests.of(tx, txId)
  Case.equals(it, 'atomicOps', { chainID: Id.format(chainId), remove, put })
  const spent = AtomicRequests.spent(tx).map((id) => Hex.encode(id))
  Case.same('inputUTXOs', [...Case.list(it, 'inputUTXOs')].sort(), spent.sort())
}

/**
 * Checks atomic transactions of the C-chain: bytes, ids, JSON, gas and fees, shared memory, syntax, and the
 * transactions of a block.
 */
export const cchainAtomicTxs = Suite.create('cchain-atomic-txs.json', {
  note(it) {
    transactions.checkChains(it)
    Case.equals(it, 'rules', 'all upgrades up to Etna active')
    return undefined
  },
  valid(it) {
    const { tx, txID: txId, unsignedBytes } = transactions.checkBytes(it, AtomicTx, 'Unsigned')
    checkJson(it, tx)
    transactions.checkSignatures(it, tx.credentials, unsignedBytes)
    checkFees(it, tx)
    checkRequests(it, tx, txId)
    transactions.checkSyntax(it, 'verifyError', () => assertSyntax(it, tx))
    return undefined
  },
  decode(it) {
    const parsed = Case.verdict(it, () => AtomicTx.decode(Case.bytes(it, 'bytes')))
    if (parsed !== undefined) Case.equals(it, 'id', idOf(parsed.value))
    return undefined
  },
  batch(it) {
    const txs = AtomicBatch.decode(Case.bytes(it, 'bytes'))
    Case.equals(it, 'ids', txs.map(idOf))
    Case.equals(it, 'bytes', AtomicBatch.encode(txs))
    return undefined
  },
  extract(it) {
    const decode = Case.flag(it, 'batch') ? AtomicBatch.decode : AtomicBatch.decodeSingle
    const parsed = Case.verdict(it, () => decode(Case.bytes(it, 'bytes')))
    Case.equals(it, 'count', parsed?.value.length ?? 0)
    return undefined
  },
  syntactic(it) {
    const tx = AtomicTx.decode(Case.bytes(it, 'bytes'))
    Case.verdict(it, () => assertSyntax(it, tx))
    return undefined
  },
})
