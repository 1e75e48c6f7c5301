import { useEffect, useState } from 'preact/hooks'

/** Renders the component again whenever one of `listeners` is called. */
export function useRender(listeners: Set<() => void>): void {
  const [, render] = useState({})
  useEffect(() => {
    const listener = () => render({})
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [listeners])
}
