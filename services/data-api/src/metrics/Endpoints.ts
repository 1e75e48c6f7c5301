import type { EvmContext } from '../evm/EvmContext.ts'
import type { Endpoint } from '../front/Endpoint.ts'

/** The endpoints over the rollups of EVM chains. */
export function metricsEndpoints(_context: EvmContext): readonly Endpoint[] {
  return []
}
