import type { FastifyInstance } from 'fastify'
import { AggregatorError } from '../errors/AggregatorError.ts'

/** Ends requests in progress with a response before a shutdown closes their connections. */
export interface Shutdown {
  /** Calls `stop` when a request must respond. Returns a function that undoes this. */
  watch(stop: (error: AggregatorError) => void): () => void
}

/**
 * Returns the shares of the shutdown time-out, in milliseconds, after which requests in progress get 503, and the
 * connections that are still open are closed.
 */
export function timesOf(shutdownTimeout: number): {
  readonly respondMs: number
  readonly disconnectMs: number
} {
  return { respondMs: shutdownTimeout * 0.8, disconnectMs: shutdownTimeout * 0.9 }
}

/** Creates the watch of a server's shutdown. */
export function createShutdown(server: FastifyInstance, shutdownTimeout: number): Shutdown {
  const watching = new Set<(error: AggregatorError) => void>()
  server.addHook('preClose', async () => {
    const timer = setTimeout(() => {
      const error = new AggregatorError('AGGREGATOR_CLOSING', 'the service is shutting down')
      for (const stop of watching) stop(error)
    }, timesOf(shutdownTimeout).respondMs)
    timer.unref()
  })
  return {
    watch: (stop) => {
      watching.add(stop)
      return () => void watching.delete(stop)
    },
  }
}
