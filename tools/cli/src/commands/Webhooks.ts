import { createClient } from '@firn/client'
import type { Json } from '@firn/codec'
import { Command, option, type Terminal, Type } from '@firn/options'
import { CliError } from '../CliError.ts'
import * as Tree from '../Tree.ts'
import { formatDelivery, tail } from './WebhookTail.ts'

const SERVICE = {
  url: option(Type.url('http', 'https'), {
    default: 'http://127.0.0.1:8700',
    help: 'URL of the Data API.',
    environment: ['FIRN_DATA_API_URL'],
  }),
  apiKey: option(Type.text, {
    isSecret: true,
    isRequired: true,
    environment: ['FIRN_API_KEY'],
    help: 'API key of the webhooks, with the scope webhooks. The environment variable does not appear in the list of processes.',
  }),
}
const JSON_OPTION = { json: option(Type.flag, { default: false, help: 'Print the JSON of the service.' }) }

const WEBHOOK: Command.Operand = { name: 'id', help: 'Id of the webhook.' }

type Service = { readonly url: string; readonly apiKey: string }

const webhooksOf = ({ url, apiKey }: Service) => createClient({ url, apiKey }).webhooks

const printJson = (value: unknown, terminal: Terminal): void => terminal.print(JSON.stringify(value))

export const LIST = Command.create({
  description: 'Lists the webhooks of an API key, newest first: id, status, chain, URL and name.',
  example: '--status active',
  options: {
    status: option(Type.choice('active', 'inactive'), {
      defaultText: 'all',
      help: 'Status of the webhooks to list.',
    }),
    ...SERVICE,
    ...JSON_OPTION,
  },
  run: async ({ status, json, ...service }, { terminal }) => {
    const { signal } = terminal
    const list = webhooksOf(service).listWebhooks.items({ status, pageSize: 100 }, { signal })
    for await (const webhook of list) {
      const { id, chainId, url, name, inactiveReason } = webhook
      const state = inactiveReason === undefined ? webhook.status : `${webhook.status} (${inactiveReason})`
      if (json) printJson(webhook, terminal)
      else terminal.print([id, state, webhook.eventType, chainId, url, name].join('  ').trimEnd())
    }
  },
})

export const SHOW = Command.create({
  description: 'Prints a webhook.',
  example: '6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11',
  operands: [WEBHOOK],
  options: { ...SERVICE, ...JSON_OPTION },
  run: async ({ json, ...service }, { operands: [id = ''], terminal }) => {
    const webhook = await webhooksOf(service).getWebhook({ id }, { signal: terminal.signal })
    if (json) printJson(webhook, terminal)
    else for (const line of Tree.format('webhook', webhook as unknown as Json.Json)) terminal.print(line)
  },
})

export const UPDATE = Command.create({
  description:
    'Changes what signs the messages of a webhook: the text of the secret, or the bytes of which it is the hexadecimal form. The next message is signed with it.',
  example: '6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11 --secret-encoding hex',
  operands: [WEBHOOK],
  options: {
    secretEncoding: option(Type.choice('text', 'hex'), {
      isRequired: true,
      help: 'Key of the signatures: the text of the secret, or its bytes (hex).',
    }),
    ...SERVICE,
    ...JSON_OPTION,
  },
  run: async ({ secretEncoding, json, ...service }, { operands: [id = ''], terminal }) => {
    const webhook = await webhooksOf(service).updateWebhook(
      { id, secretEncoding },
      { signal: terminal.signal },
    )
    if (json) printJson(webhook, terminal)
    else terminal.print(`signed with the secret as ${webhook.secretEncoding}`)
  },
})

export const TAIL = Command.create({
  description:
    'Prints each message of a webhook when it is queued, and again after each attempt to send it, with the status or the failure. Ends with Ctrl-C.',
  example: '6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11',
  operands: [WEBHOOK],
  options: {
    interval: option(Type.duration({ leastMs: 100 }), {
      default: 1_000,
      help: 'Time between two requests.',
    }),
    ...SERVICE,
    ...JSON_OPTION,
  },
  run: async ({ interval, json, ...service }, { operands: [id = ''], terminal }) =>
    tail(webhooksOf(service), { id, intervalMs: interval }, terminal.signal, {
      onStart: () => terminal.note('waiting for messages'),
      print: (delivery) => {
        if (json) printJson(delivery, terminal)
        else terminal.print(formatDelivery(delivery))
      },
    }),
})

export const DEAD = Command.create({
  description: 'Lists the messages of a webhook that the service has given up, newest first.',
  example: '6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11',
  operands: [WEBHOOK],
  options: {
    limit: option(Type.integer(1, 1_000_000, 'messages'), {
      default: 1_000,
      help: 'Maximum number of messages.',
    }),
    ...SERVICE,
    ...JSON_OPTION,
  },
  run: async ({ limit, json, ...service }, { operands: [id = ''], terminal }) => {
    const query = { id, state: ['dead'], pageSize: Math.min(limit, 100) } as const
    let count = 0
    for await (const one of webhooksOf(service).listWebhookDeliveries.items(query, {
      signal: terminal.signal,
    })) {
      if (json) printJson(one, terminal)
      else terminal.print(formatDelivery(one))
      if (++count >= limit) break
    }
    if (count === 0) terminal.note('no dead messages')
    else terminal.note(`${count} dead messages; firn webhooks replay ${id} --dead sends them again`)
  },
})

export const REPLAY = Command.create({
  description:
    'Sends messages of a webhook again, in their order: those that are dead, or all from a point on.',
  example: '6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11 --dead',
  operands: [WEBHOOK],
  options: {
    dead: option(Type.flag, { default: false, help: 'Send only dead messages.' }),
    fromBlock: option(Type.big, { help: 'Lowest block of the events.' }),
    fromTime: option(Type.integer(0, 99_999_999_999, 'seconds'), {
      help: 'Earliest time at which the messages were queued, in Unix seconds.',
    }),
    ...SERVICE,
  },
  check: ({ dead, fromBlock, fromTime }) => {
    if (dead || fromBlock !== undefined || fromTime !== undefined) return
    throw new CliError(
      'CLI_USAGE',
      'say what to send again: --dead, --from-block <number> or --from-time <seconds>; --from-block 0 is everything that is kept',
    )
  },
  run: async ({ dead, fromBlock, fromTime, ...service }, { operands: [id = ''], terminal }) => {
    const request = { id, deadOnly: dead, fromBlock: fromBlock?.toString(), fromTimestamp: fromTime }
    const { queued } = await webhooksOf(service).replayWebhook(request, { signal: terminal.signal })
    terminal.print(`${queued} ${queued === 1 ? 'message is' : 'messages are'} sent again`)
  },
})

export const TEST = Command.create({
  description:
    'Sends a message about an invented transaction to the target of a webhook at once. The exit status is 1 if the target does not accept it.',
  example: '6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11',
  operands: [WEBHOOK],
  options: { ...SERVICE, ...JSON_OPTION },
  run: async ({ json, ...service }, { operands: [id = ''], terminal }) => {
    const result = await webhooksOf(service).sendTestOfWebhook({ id }, { signal: terminal.signal })
    const { isAccepted, status, failure, milliseconds } = result
    if (json) printJson(result, terminal)
    const words = [failure, status === undefined ? undefined : `status ${status}`, `${milliseconds} ms`]
    const text = words.filter((word) => word !== undefined).join(', ')
    if (!isAccepted) throw new CliError('CLI_FINDINGS', `the target did not accept the message: ${text}`)
    if (!json) terminal.print(`accepted: ${text}`)
  },
})
