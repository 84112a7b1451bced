// Runs before the first paint: a stored choice of theme wins over the system's.
try {
  const theme = localStorage.getItem('standfast.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's choice is kept.
}
