import { type Logger, silentLogger, systemClock } from '@firn/runtime'
import type { Registry } from 'prom-client'
import { createSender } from './common/Sender.ts'
import type { WebhookContext } from './common/WebhookContext.ts'
import { RETRIES } from './delivery/RetryPolicy.ts'
import type { StreamContext } from './stream/streamMessages.ts'
import { createTail } from './stream/Tail.ts'
import { DEFAULTS, policyOf, type WebhookOptions } from './WebhookOptions.ts'
import { startWebhooks } from './WebhookRunner.ts'

/** Webhooks of a service. */
export interface OpenedWebhooks {
  /** Dependencies of the endpoints and of the streams of messages. */
  readonly context: StreamContext
  close(): Promise<void>
}

/**
 * Opens the webhooks of a service, and starts the workers if this process delivers.
 * @throws HttpError `HTTP_CONFIGURATION`
 */
export function openWebhooks(
  options: WebhookOptions = {},
  {
    logger,
    metrics,
    ...given
  }: Omit<WebhookContext, 'policy' | 'send' | 'wake' | 'secretEncoding'> & {
    readonly keys: StreamContext['keys']
    readonly logger: Logger | undefined
    readonly metrics: Registry | undefined
  },
): OpenedWebhooks {
  const {
    timeoutMs = DEFAULTS.timeoutMs,
    keepMs = DEFAULTS.keepMs,
    streamsPerKey = DEFAULTS.streamsPerKey,
    secretEncoding = DEFAULTS.secretEncoding,
    concurrency,
    perHost,
  } = options
  const policy = policyOf(options)
  const send = createSender({ policy, timeoutMs, clock: systemClock })
  const tail = createTail({
    ...{ store: given.store, clock: systemClock, random: Math.random, logger: logger ?? silentLogger },
  })
  const runner =
    options.isDelivering === true
      ? startWebhooks({
          ...{
            home: given.store,
            chains: given.evm.chains,
            evm: given.evm,
            primary: given.primary,
            send,
            timeoutMs,
            keepMs,
          },
          ...{ concurrency, perHost, logger, metrics, onQueued: tail.wake },
          retries: { ...RETRIES, ...options.retries },
        })
      : undefined
  return {
    context: {
      ...given,
      policy,
      send,
      secretEncoding,
      tail,
      keepMs,
      streamsPerKey,
      wake: () => runner?.wake(),
    },
    close: async () => void (await Promise.all([runner?.close(), tail.close()])),
  }
}
