import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Message as Envelope, MessageSchema } from './gen/p2p_pb.ts'

/** What a frame holds, told apart by `case`; `value` is the member's plain object. `compressedZstd` never appears: it is unwrapped. */
export type Body = Exclude<Envelope['message'], { case: undefined } | { case: 'compressedZstd' }>

/** The names of all messages. */
export type Case = Body['case']

/** What {@link encode} takes: members left out are zero, as on the wire. */
export type BodyInit = Extract<
  NonNullable<Exclude<MessageInitShape<typeof MessageSchema>['message'], undefined>>,
  { case: Case }
>
