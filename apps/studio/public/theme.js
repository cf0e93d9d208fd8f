// Before the first paint, so that a remembered dark page never flashes white. Kept apart: the policy allows no inline script.
try {
  const theme = localStorage.getItem('croft.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is refused: the system decides.
}
