import express from 'express';

/** GET /state · POST /faults [..] · DELETE /faults · POST /settings {..} · POST /gates/:name */
export function controlRouter({ faults, gates, settings }) {
  const router = express.Router();
  router.use(express.json());
  router.get('/state', (_req, res) =>
    res.json({ pid: process.pid, faults: faults.list(), settings: settings.current, waitingAt: gates.waiting() }),
  );
  router.post('/faults', (req, res) => {
    faults.arm(req.body);
    res.json({});
  });
  router.delete('/faults', (_req, res) => {
    faults.clear();
    res.json({});
  });
  router.post('/settings', (req, res) => {
    settings.change(req.body);
    res.json({});
  });
  router.post('/gates/:name', (req, res) => {
    gates.open(req.params.name);
    res.json({});
  });
  return router;
}
