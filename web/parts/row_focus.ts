import { useRef } from 'preact/hooks'

/** Returns a function that moves the focus by rows, and scrolls to it. */
export function useRowFocus(scroller: { current: HTMLDivElement | null }, count: number, rowHeight: number) {
  const position = useRef(-1)
  return (step: number) => {
    const { current } = scroller
    const focused = (document.activeElement as HTMLElement | null)?.dataset.index
    const next = Math.max(0, Math.min(count - 1, Number(focused ?? position.current) + step))
    if (!current || count === 0) return
    position.current = next
    const top = next * rowHeight
    if (top < current.scrollTop) current.scrollTop = top
    else if (top + 2 * rowHeight > current.scrollTop + current.clientHeight)
      current.scrollTop = top + 2 * rowHeight - current.clientHeight
    // The row is rendered after the scroll event.
    const focus = () => current.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true })
    requestAnimationFrame(() => requestAnimationFrame(focus))
  }
}
