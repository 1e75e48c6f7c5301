import { useEffect, useRef, useState } from 'preact/hooks'
import { useData } from './Session.ts'

/** How changes of a chain arrive: from its feed, or by asking again and again because the feed does not work. */
export type Following = 'live' | 'polling' | 'paused'

const POLL_MS = 5_000
/** Changes within this time are reported together, so that a chain that is being indexed does not overload the page. */
const GATHER_MS = 500

/**
 * Calls `onChange` after blocks of an EVM chain are stored or undone, while the page is visible and not paused.
 * Returns how the changes arrive.
 */
export function useChanges(chainId: string, isPaused: boolean, onChange: () => void): Following {
  const { evm } = useData()
  const isVisible = useVisible()
  const [isFed, setFed] = useState(true)
  const report = useRef(onChange)
  report.current = onChange
  const isFirst = useRef(true)
  const isFollowing = isVisible && !isPaused
  useEffect(() => {
    if (!isFollowing) return undefined
    const abort = new AbortController()
    const { signal } = abort
    let timer: ReturnType<typeof setTimeout> | undefined
    const gather = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        report.current()
      }, GATHER_MS)
    }
    const follow = async () => {
      // Blocks may have come while nothing was followed.
      if (!isFirst.current) gather()
      isFirst.current = false
      for await (const _ of evm.listChanges({ chainId }, { signal })) {
        setFed(true)
        gather()
      }
    }
    const run = async () => {
      while (!signal.aborted) {
        await follow().catch(() => undefined)
        if (signal.aborted) return
        setFed(false)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    }
    void run()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [chainId, isFollowing])
  useEffect(() => {
    if (!isFollowing || isFed) return undefined
    const timer = setInterval(() => report.current(), POLL_MS)
    return () => clearInterval(timer)
  }, [isFollowing, isFed])
  if (isPaused) return 'paused'
  return isFed ? 'live' : 'polling'
}

function useVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const listener = () => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', listener)
    return () => document.removeEventListener('visibilitychange', listener)
  }, [])
  return isVisible
}
