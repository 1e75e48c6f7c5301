import { useMemo } from 'preact/hooks'
import { ErrorNote } from '../../components/ErrorNote.tsx'
import { Id } from '../../components/Id.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Raw } from '../../components/Raw.tsx'
import { Fields } from '../../components/warp/Fields.tsx'
import { Signing } from '../../components/warp/Signing.tsx'
import type { PageProps } from '../../PageModule.ts'
import * as Aggregator from '../../state/Aggregator.ts'
import { useSession } from '../../state/Session.ts'
import { type Message, parse } from '../../warp/Message.ts'

/** A Warp message: its fields, who must sign it, and the collection of signatures. */
export function Page({ parameters: { message = '' } }: PageProps) {
  const { parsed, error } = useMemo(() => attempt(message), [message])
  const aggregator = Aggregator.find(useSession())
  if (parsed === undefined) {
    return (
      <>
        <PageHead title="Warp message" />
        <ErrorNote error={error} />
      </>
    )
  }
  const { tree, unsigned, messageId, signed } = parsed
  return (
    <>
      <PageHead
        kind={signed === undefined ? 'Warp message' : 'Signed Warp message'}
        title={messageId === undefined ? tree.kind : <Id id={messageId} isWhole />}
      />
      {unsigned === undefined ? (
        <p class="note">This is a part of a message. Paste a whole message to see who must sign it.</p>
      ) : aggregator === undefined ? (
        <p class="note">
          This service has no signature aggregator, so it cannot collect signatures. Open the console of an
          aggregator, or start all services with firn up.
        </p>
      ) : (
        <Signing aggregator={aggregator} message={parsed} />
      )}
      <Panel title="Fields">
        <Fields tree={tree} />
      </Panel>
      <Panel title="Bytes">
        <Raw name="Message in hexadecimal" text={signed ?? unsigned ?? message} />
      </Panel>
    </>
  )
}

function attempt(message: string): { readonly parsed?: Message; readonly error?: unknown } {
  try {
    return { parsed: parse(message) }
  } catch (error) {
    return { error }
  }
}
