import { CheckedHex, Id } from '@firn/codec'
import { Container } from '@firn/txs'
import * as Case from '../Case.ts'

/**
 * Checks the container that the index served for a block: its id, its bytes, and the block in it. The genesis
 * block has no container. The container's time is not checked, because it depends on the recorded node.
 * `innerID` returns the id of a block from before the proposervm; the default is the SHA-256 of the block.
 */
export function checkContainer(
  it: Case.Case,
  height: number,
  block?: Uint8Array,
  innerId?: (block: Uint8Array) => Uint8Array,
): Uint8Array | undefined {
  if (!Case.has(it, 'container')) return undefined
  const bytes = CheckedHex.decode(Case.text(it, 'containerBytes'))
  const opened = Container.open(bytes, innerId)
  if (opened.kind === 'postFork') Case.same('containerBytes', bytes, Container.encode(opened.container))
  if (block !== undefined) Case.same('block in containerBytes', block, opened.block)
  const container = Case.record(it, 'container')
  Case.equals(container, 'id', Id.format(opened.id))
  Case.equals(container, 'index', String(height - 1))
  Case.equals(container, 'encoding', 'hex')
  Case.ignore(container, 'timestamp', 'bytes')
  Case.close(container)
  return opened.block
}
