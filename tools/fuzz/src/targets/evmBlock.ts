import { EvmBlock, Rlp } from '@firn/txs'

/**
 * Returns a block with other atomic transactions. The header is adapted to these transactions and to the
 * given position.
 */
export const rebuild = (
  { header, extData }: EvmBlock.EvmBlock,
  { height, parentHash, time }: { height: bigint; parentHash: Uint8Array; time: bigint },
): Uint8Array => {
  const { sha3Uncles: hash, miner, logsBloom, extraData, nonce, timestamp } = header
  const none = new Uint8Array()
  const fields = [
    ...[parentHash, hash, miner, hash, hash, hash, logsBloom, none, Rlp.fromBigint(height), none, none],
    ...[Rlp.fromBigint(timestamp < time ? time : timestamp), extraData, hash, nonce],
    // The hash covers the bytes of the atomic transactions, even if these are malformed.
    EvmBlock.transactionHash(Rlp.encode(extData)),
  ]
  return Rlp.encode([fields, [], [], none, extData])
}
