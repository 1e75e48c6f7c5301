import * as Answer from './Answer.ts'
import * as Bloom from './Bloom.ts'

/** Maximum size of a header's `extraData` in bytes. The chains that exist use a few thousand at most. */
const MOST_EXTRA = 1 << 20

/**
 * Checks the members of a header that sum up its block's receipts: the gas used and the bloom. `gas` is the cumulative
 * gas of the last receipt. A header with a settled height sums up earlier blocks instead, so it is not compared. Nodes
 * that report no cumulative gas report 0.
 * @throws EvmError `EVM_INCOHERENT`, `EVM_MALFORMED`
 */
export function assertMatch(
  block: Answer.Members,
  header: { readonly gasUsed: bigint; readonly settledHeight: bigint | undefined },
  receipts: readonly Answer.Members[],
  gas: bigint,
): void {
  if (header.settledHeight !== undefined) return
  const isCounted = gas > 0n || receipts.length === 0
  if (isCounted && header.gasUsed !== gas)
    throw Answer.incoherent('gasUsed', `${gas} (the gas of all transactions)`, header.gasUsed)
  const logs = receipts.flatMap((receipt) => receipt['logs'] as readonly Bloom.Items[])
  Bloom.assertCovered(block['logsBloom'], logs, 'logsBloom')
}

/** Checks that `extraData` is a byte string of a plausible size, if the header has it. @throws EvmError `EVM_MALFORMED` */
export function assertExtra(value: unknown): void {
  if (value === undefined || value === null) return
  if (typeof value === 'string' && value.length <= 2 * MOST_EXTRA + 2 && EXTRA.test(value)) return
  throw Answer.malformed('extraData', `at most ${MOST_EXTRA} hexadecimal bytes with the prefix 0x`, value)
}

const EXTRA = /^0x(?:[0-9a-fA-F]{2})*$/
