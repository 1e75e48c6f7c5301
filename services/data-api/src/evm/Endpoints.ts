import type { Endpoint } from '../front/Endpoint.ts'
import type { EvmContext } from './EvmContext.ts'

/** The endpoints over the rows of EVM chains. */
export function evmEndpoints(_context: EvmContext): readonly Endpoint[] {
  return []
}
