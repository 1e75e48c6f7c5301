import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { getMessage } from './getMessage.ts'
import { getStory } from './getStory.ts'
import { listMessages, listMessagesOfAddress } from './listMessages.ts'

/** Returns the endpoints for messages between chains. */
export function icmEndpoints(context: EvmContext): readonly Endpoint[] {
  return [
    ...listMessages(context),
    ...listMessagesOfAddress(context),
    ...getMessage(context),
    getStory(context),
  ]
}
