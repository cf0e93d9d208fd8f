-- Written by commit 269109e5, the first one with durable runs: a run that waits for a person. pg_dump of both schemas,
-- with the key of open-test-runs.ts. Do not change it: it is what an older build left.
CREATE SCHEMA croft_dbos;
CREATE SCHEMA croft_runs;
CREATE FUNCTION croft_dbos.enqueue_workflow(workflow_name text, queue_name text, positional_args json[] DEFAULT ARRAY[]::json[], named_args json DEFAULT '{}'::json, class_name text DEFAULT NULL::text, config_name text DEFAULT NULL::text, workflow_id text DEFAULT NULL::text, app_version text DEFAULT NULL::text, timeout_ms bigint DEFAULT NULL::bigint, deadline_epoch_ms bigint DEFAULT NULL::bigint, deduplication_id text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, queue_partition_key text DEFAULT NULL::text, authenticated_user text DEFAULT NULL::text, authenticated_roles text DEFAULT NULL::text, delay_until_epoch_ms bigint DEFAULT NULL::bigint, application_name text DEFAULT NULL::text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    v_workflow_id TEXT;
    v_serialized_inputs TEXT;
    v_owner_xid TEXT;
    v_now BIGINT;
    v_recovery_attempts INT4 := 0;
    v_priority INT4;
    v_status TEXT;
BEGIN
    -- Validate required parameters
    IF workflow_name IS NULL OR workflow_name = '' THEN
        RAISE EXCEPTION 'Workflow name cannot be null or empty';
    END IF;
    IF queue_name IS NULL OR queue_name = '' THEN
        RAISE EXCEPTION 'Queue name cannot be null or empty';
    END IF;
    IF named_args IS NOT NULL AND jsonb_typeof(named_args::jsonb) != 'object' THEN
        RAISE EXCEPTION 'Named args must be a JSON object';
    END IF;
    IF workflow_id IS NOT NULL AND workflow_id = '' THEN
        RAISE EXCEPTION 'Workflow ID cannot be an empty string if provided.';
    END IF;
    IF delay_until_epoch_ms IS NOT NULL AND delay_until_epoch_ms < 0 THEN
        RAISE EXCEPTION 'delay_until_epoch_ms must be >= 0';
    END IF;
    v_workflow_id := COALESCE(workflow_id, gen_random_uuid()::TEXT);
    v_owner_xid := gen_random_uuid()::TEXT;
    v_priority := COALESCE(priority, 0);
    v_serialized_inputs := json_build_object(
        'positionalArgs', positional_args,
        'namedArgs', named_args
    )::TEXT;
    v_now := EXTRACT(epoch FROM now()) * 1000;
    v_status := CASE WHEN delay_until_epoch_ms IS NULL THEN 'ENQUEUED' ELSE 'DELAYED' END;
    INSERT INTO "croft_dbos".workflow_status (
        workflow_uuid, status,
        name, class_name, config_name,
        queue_name, deduplication_id, priority, queue_partition_key,
        application_version,
        created_at, updated_at, recovery_attempts,
        workflow_timeout_ms, workflow_deadline_epoch_ms,
        parent_workflow_id, owner_xid, serialization,
        authenticated_user, authenticated_roles,
        delay_until_epoch_ms, application_name
    ) VALUES (
        v_workflow_id, v_status,
        workflow_name, class_name, config_name,
        queue_name, deduplication_id, v_priority, queue_partition_key,
        app_version,
        v_now, v_now, v_recovery_attempts,
        timeout_ms, deadline_epoch_ms,
        NULL, v_owner_xid, 'portable_json',
        authenticated_user, authenticated_roles,
        delay_until_epoch_ms, application_name
    )
    ON CONFLICT (workflow_uuid)
    DO UPDATE SET
        updated_at = EXCLUDED.updated_at;
    INSERT INTO "croft_dbos".workflow_input (
        workflow_uuid, inputs, retention_timestamp
    ) VALUES (
        v_workflow_id, v_serialized_inputs, v_now
    )
    ON CONFLICT (workflow_uuid) DO NOTHING;
    RETURN v_workflow_id;
EXCEPTION
    WHEN unique_violation THEN
        RAISE EXCEPTION 'DBOS queue duplicated'
            USING DETAIL = format('Workflow %s with queue %s and deduplication ID %s already exists', v_workflow_id, queue_name, deduplication_id),
                ERRCODE = 'unique_violation';
END;
$$;
CREATE FUNCTION croft_dbos.notifications_function() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    DECLARE
        payload text := NEW.destination_uuid || '::' || NEW.topic;
    BEGIN
        PERFORM pg_notify('dbos_notifications_channel', payload);
        RETURN NEW;
    END;
    $$;
CREATE FUNCTION croft_dbos.send_message(destination_id text, message json, topic text DEFAULT NULL::text, message_id text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
        DECLARE
            v_topic TEXT := COALESCE(topic, '__null__topic__');
            v_message_id TEXT := COALESCE(message_id, gen_random_uuid()::TEXT);
        BEGIN
            INSERT INTO "croft_dbos".notifications (
                destination_uuid, topic, message, message_uuid, serialization
            ) VALUES (
                destination_id, v_topic, message, v_message_id, 'portable_json'
            )
            ON CONFLICT (message_uuid) DO NOTHING;
        EXCEPTION
            WHEN foreign_key_violation THEN
                RAISE EXCEPTION 'DBOS non-existent workflow'
                   USING DETAIL = format('Destination workflow %s does not exist', destination_id),
                        ERRCODE = 'foreign_key_violation';
        END;
        $$;
CREATE TABLE croft_dbos.application_versions (
    version_id text NOT NULL,
    version_name text NOT NULL,
    version_timestamp bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    created_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    application_name text
);
CREATE TABLE croft_dbos.dbos_migrations (
    version bigint NOT NULL
);
CREATE TABLE croft_dbos.event_dispatch_kv (
    service_name text NOT NULL,
    workflow_fn_name text NOT NULL,
    key text NOT NULL,
    value text,
    update_seq numeric(38,0),
    update_time numeric(38,15)
);
CREATE TABLE croft_dbos.notifications (
    message_uuid text DEFAULT gen_random_uuid() NOT NULL,
    destination_uuid text NOT NULL,
    topic text,
    message text NOT NULL,
    created_at_epoch_ms bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    serialization text,
    consumed boolean DEFAULT false NOT NULL,
    consumed_by_function_id integer
);
CREATE TABLE croft_dbos.operation_outputs (
    workflow_uuid text NOT NULL,
    function_id integer NOT NULL,
    function_name text DEFAULT ''::text NOT NULL,
    output text,
    error text,
    child_workflow_id text,
    started_at_epoch_ms bigint,
    completed_at_epoch_ms bigint,
    serialization text,
    application_name text,
    retention_timestamp bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL
);
CREATE TABLE croft_dbos.queues (
    queue_id text DEFAULT (gen_random_uuid())::text NOT NULL,
    name text NOT NULL,
    concurrency integer,
    worker_concurrency integer,
    rate_limit_max integer,
    rate_limit_period_sec double precision,
    priority_enabled boolean DEFAULT false NOT NULL,
    partition_queue boolean DEFAULT false NOT NULL,
    polling_interval_sec double precision DEFAULT 1.0 NOT NULL,
    created_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    updated_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    application_name text,
    partition_concurrency integer,
    partition_worker_concurrency integer,
    partition_rate_limit_max integer,
    partition_rate_limit_period_sec double precision
);
CREATE TABLE croft_dbos.streams (
    workflow_uuid text NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    "offset" integer NOT NULL,
    function_id integer DEFAULT 0 NOT NULL,
    serialization text
);
CREATE TABLE croft_dbos.workflow_events (
    workflow_uuid text NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    serialization text
);
CREATE TABLE croft_dbos.workflow_events_history (
    workflow_uuid text NOT NULL,
    function_id integer NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    serialization text
);
CREATE TABLE croft_dbos.workflow_input (
    workflow_uuid text NOT NULL,
    inputs text,
    retention_timestamp bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL
);
CREATE TABLE croft_dbos.workflow_output (
    workflow_uuid text NOT NULL,
    output text,
    error text,
    retention_timestamp bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL
);
CREATE TABLE croft_dbos.workflow_schedules (
    schedule_id text NOT NULL,
    schedule_name text NOT NULL,
    workflow_name text NOT NULL,
    workflow_class_name text,
    schedule text NOT NULL,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    context text NOT NULL,
    last_fired_at text,
    automatic_backfill boolean DEFAULT false NOT NULL,
    cron_timezone text,
    queue_name text,
    application_name text
);
CREATE TABLE croft_dbos.workflow_status (
    workflow_uuid text NOT NULL,
    status text,
    name text,
    authenticated_user text,
    assumed_role text,
    authenticated_roles text,
    request text,
    output text,
    error text,
    executor_id text,
    created_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    updated_at bigint DEFAULT ((EXTRACT(epoch FROM now()) * 1000.0))::bigint NOT NULL,
    application_version text,
    application_id text,
    class_name character varying(255) DEFAULT NULL::character varying,
    config_name character varying(255) DEFAULT NULL::character varying,
    recovery_attempts bigint DEFAULT 0,
    queue_name text,
    workflow_timeout_ms bigint,
    workflow_deadline_epoch_ms bigint,
    inputs text,
    started_at_epoch_ms bigint,
    deduplication_id text,
    priority integer DEFAULT 0 NOT NULL,
    queue_partition_key text,
    forked_from text,
    owner_xid text,
    parent_workflow_id text,
    serialization text,
    delay_until_epoch_ms bigint,
    was_forked_from boolean DEFAULT false NOT NULL,
    rate_limited boolean DEFAULT false NOT NULL,
    completed_at bigint,
    attributes jsonb,
    schedule_name text,
    debounce_deadline_epoch_ms bigint,
    is_debounced boolean DEFAULT false NOT NULL,
    application_name text,
    creator_xid text
);
CREATE TABLE croft_runs.event (
    run_id text NOT NULL,
    first integer NOT NULL,
    count integer NOT NULL,
    entries text NOT NULL
);
CREATE TABLE croft_runs.executor (
    id text NOT NULL,
    name text NOT NULL,
    beat_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE croft_runs.intent (
    run_id text NOT NULL,
    key text NOT NULL,
    attempt integer NOT NULL,
    decision text
);
CREATE TABLE croft_runs.memo (
    run_id text NOT NULL,
    key text NOT NULL,
    value text NOT NULL
);
CREATE TABLE croft_runs.question (
    run_id text NOT NULL,
    key text NOT NULL,
    node text NOT NULL,
    asked text NOT NULL,
    answer text,
    is_read boolean DEFAULT false NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    answered_at timestamp with time zone
);
CREATE TABLE croft_runs.run (
    id text NOT NULL,
    user_id text NOT NULL,
    flow_id text,
    flow_name text NOT NULL,
    source text NOT NULL,
    status text NOT NULL,
    attempt integer DEFAULT 1 NOT NULL,
    takeovers integer DEFAULT 0 NOT NULL,
    executor text,
    undecided text,
    cancel_requested boolean DEFAULT false NOT NULL,
    flow text NOT NULL,
    request text NOT NULL,
    result text,
    failure jsonb,
    metrics jsonb,
    trigger_key text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone
);
CREATE TABLE croft_runs.schedule (
    id text NOT NULL,
    user_id text NOT NULL,
    definition text NOT NULL,
    next_at timestamp with time zone,
    last_at timestamp with time zone,
    last_run text
);
CREATE TABLE croft_runs.version (
    number integer NOT NULL
);
INSERT INTO croft_dbos.application_versions VALUES ('3f253e0f-8dda-4240-8e78-8cb289327508', '1', 1795641118775, 1795641118775, 'croft');
INSERT INTO croft_dbos.dbos_migrations VALUES (123);
INSERT INTO croft_dbos.operation_outputs VALUES ('c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac.1', 0, 'c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac/b/', 'k1.5wHiEqan4nrRCiM5qCC2voN62UHmzY8SPI81bhZh6uPdHkeymMglYIOJpis/H+xVIOTR7eiylrd6UE2rVkGBEq7MTw==', NULL, NULL, 1795641119848, 1795641119871, 'croft', 'croft', 1795641119872);
INSERT INTO croft_dbos.operation_outputs VALUES ('c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac.1', 1, 'c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac/q/', 'k1.Q0m/o4HzBZoSHKBVw462LBxMikvds2St+pV9/NuBJ3HmJs5UKK3KFByHpN+EPw==', NULL, NULL, 1795641119876, 1795641119911, 'croft', 'croft', 1795641119911);
INSERT INTO croft_dbos.queues VALUES ('784a6c38-df13-4d28-b33f-ffe4abd02dd2', 'croft_runs', NULL, 16, NULL, NULL, true, true, 0.03, 1795641118798, 1795641118785, 'croft', 4, NULL, NULL, NULL);
INSERT INTO croft_dbos.workflow_input VALUES ('c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac.1', 'k1.sp6ICOAEmltCe1vAEeYri1I2dPL6+1B5J0OgM5WsjNEic/kQAhLlm7cATuP+6KvaS+B/Ut3OBuURef0nD8g337U/s94sFA==', 1795641118811);
INSERT INTO croft_dbos.workflow_output VALUES ('c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac.1', 'k1.Obzu2HibA6L+bfBX9QKydWZtZg1wNP+tJiIY7/99/5o=', NULL, 1795641119929);
INSERT INTO croft_dbos.workflow_status VALUES ('c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac.1', 'SUCCESS', 'croft_run', '', '', '[]', NULL, NULL, NULL, 'test#664a1f7c-5e2c-46b6-9c27-de4344500d1b', 1795641118811, 1795641119929, '1', '', NULL, NULL, 1, 'croft_runs', NULL, NULL, NULL, 1795641119818, NULL, 0, 'ada', NULL, NULL, NULL, 'croft', NULL, false, false, 1795641119929, NULL, NULL, NULL, false, 'croft', '492c6d2a-15b0-478e-be3d-0a5728088412');
INSERT INTO croft_runs.event VALUES ('c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac', 1, 7, 'k1.JGpweQL1QFlER7uO5rTgGfkkDCKKELpf6wowcFrNnaQSv4ETjosaJZfWICsWv7RnWYBV+/gIZId3+faQgO9/g5qcMOyBDH8NyduYL4t0TXEoo1Xg+2OImEZHP64pe7pAHDu2VJ/+fXSEwSNV0HCpgNSh0wJRZARy3/F5ihpXcfMCzMkqZCkc7upC8MWAkHJG89+y396vbq7n7WJc6nGwvhuyhMpOYxj9abcIUpPWaFeUjenNWMEPFpuTKgCpQN/VNq2/y1dt5VB/aMoilGW0Dau2GI/3mxVcPWSZpbqZyR63UEOzICTbz58Mncj3NxEEgbcPLfj0Njp5Bs0VU5lhvUGvH/CXuB2CBb6wBG6UQs9a6kXSsE3LdDGQkG6IHv3nBS9TYcEGbn1r3QE5kdvsGzUkLIOEAjJ/z0Bees8HHTLYaLyd3Rd7BM2rUVIXhVWegHDaNSFwEBIG6yyPcykDfokYtg1MvhnE9dgBiszohPVsdCUGP2CQFBMu6N5jQXt5CJejfJEH7pCDkIcOjVTq/NIdelRT7//jxYXv/hT2nBzKHp6XzTwC+FUicp3RBTuj6JIYSftptETyfURLVdSH/nKSpuNqxDlIjJnE0hRtgEAe1OcD+cRV7er/svgJLbj+qHbTylZ6mCpKttfwPVhU2PHes+v/QFNoPhS4eAwCgo3733eLDAID1yMIgtsc/HGlPrUTu3FWRixflRw9LJTmibDV+niN8z7s9aTCfIOlRlOX2aj1/YNUO4bRw+ADEYBzQXvKSbLQet94k8sAYAimH34LGTertY0AtzvDJKvonFiZ2bUAkfCntCEEwmbAW8uxFhGvEAJDRB3+tcATAW1cs3DMDtZKkOM/of+zucX20eaFZKPpkm+PeOEk4HZOCBwkH/YUJ7Yir/tNIxvhKTAvfsdGkF4+uZZS91bJBcVVR2ZgT1bZMAZuAx1A4Ggylg==');
INSERT INTO croft_runs.intent VALUES ('c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac', 'c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac/b/', 1, NULL);
INSERT INTO croft_runs.question VALUES ('c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac', 'c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac/q/', 'q', 'k1.hqBOxeSacYObwBtEa+ndUIhgUQC7+SQrllHZQZpDVebtZICNQ2+AYlkVBLOD19Jvs/+PJ/RhROGsfseUF7UZIl9yIHrYIoJV5iWx9K+xA7f1W5EUt+nSR6IKQ/H/', NULL, false, '2026-11-25 21:11:59.878458+00', NULL);
INSERT INTO croft_runs.run VALUES ('c39dc0a8-1eaf-4f3a-a77b-ad36b10717ac', 'ada', NULL, 'Test flow', 'api', 'waiting', 1, 0, NULL, NULL, false, 'k1.Fv177x5l3iyd8p9FZr68rzGLpx5mqPUenk70L+VzyPH9nNaef3evtJBWQ560y8jK8B/JTktafZn2cKixF+6PlVzyNrzPsRx0fRKC481qyKGRiPB0Xk5xlQpi4V/gbsJPCX6zjqP/E7hBCiN41u9xjhvFOZephu9ev/HqhclAYu39wCgLK1lXP73TBCob6Slzb/05/1mbZixa90QtHl6XJzZYAV4Q6FWgIBZJCF+cd1m7AaLWoEcow8Mm6fOBSmU0hbtejhulouscBPUryOm4zOa68VMl2J+XnazPrqJUZLlHlU3F0pnsiMwZ/CHQHFwVL86bK0nfDw7bIHGsuvPxL6hvDZU5qNO5uLzvQTrxHmly3YoiET/RlO7sh0N2NOfdTsyIU3nXT4mvSz1Pci4HBZ2UtXyyjlf5/wDaoOBeETBekQ9PC9fwuFGC1orrP0Jno9UjXo+C8/uQYrGH3u+yLHOMxDcIKY+ZXw5HDzMkU6JD4JjGPVYFo6HvFLJTbYDreRmd0QoeFfxvTaR/q+xRkts6hfc14396p70cdixlecDN+xGpjExJRPaTU9tsfNDAQMNIY5fs07ZKKfB46KVTdt14tH/Cg3/bX5OD2kgHqmLpgUcbHUPAqFpVsx3mbfhFDcLRtxrVOi9yQ7wa762mfgL+/i2dJ3wxpd+MA2uepbQoqKQ8flV8Q94H3wNNLc8u+ZeJsNMLdyfcu8LGURhjlOhddYp1ipZBb3g0hjcOuW30gIhlnHqg3L4PEa5LHv+JS+7HfxrAmNo583rg4Fz4TxoCJEsL7Le0Pi1aSEzGrb7KM61BIkt+PF4Ix2QSG+P41dEqhk/s3uFYQsxS/tBjodEiPnPyvnNgZR6aF9Er02Z6UDYCzfxO', 'k1.QvF318CRlRuhhsX1pc6AVbAbs+KcljcNYP3uUut+ruNGzNuYTEAI7WjFBVOEABkc8nrbpPjQdZmPpWFgqQ==', NULL, NULL, NULL, NULL, '2026-11-25 21:11:58.811488+00', '2026-11-25 21:11:59.822978+00', NULL);
INSERT INTO croft_runs.version VALUES (2);
ALTER TABLE ONLY croft_dbos.application_versions
    ADD CONSTRAINT application_versions_pkey PRIMARY KEY (version_id);
ALTER TABLE ONLY croft_dbos.application_versions
    ADD CONSTRAINT application_versions_version_name_key UNIQUE (version_name);
ALTER TABLE ONLY croft_dbos.dbos_migrations
    ADD CONSTRAINT dbos_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY croft_dbos.event_dispatch_kv
    ADD CONSTRAINT event_dispatch_kv_pkey PRIMARY KEY (service_name, workflow_fn_name, key);
ALTER TABLE ONLY croft_dbos.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (message_uuid);
ALTER TABLE ONLY croft_dbos.operation_outputs
    ADD CONSTRAINT operation_outputs_pkey PRIMARY KEY (workflow_uuid, function_id);
ALTER TABLE ONLY croft_dbos.queues
    ADD CONSTRAINT queues_name_key UNIQUE (name);
ALTER TABLE ONLY croft_dbos.queues
    ADD CONSTRAINT queues_pkey PRIMARY KEY (queue_id);
ALTER TABLE ONLY croft_dbos.streams
    ADD CONSTRAINT streams_pkey PRIMARY KEY (workflow_uuid, key, "offset");
ALTER TABLE ONLY croft_dbos.workflow_events_history
    ADD CONSTRAINT workflow_events_history_pkey PRIMARY KEY (workflow_uuid, function_id, key);
ALTER TABLE ONLY croft_dbos.workflow_events
    ADD CONSTRAINT workflow_events_pkey PRIMARY KEY (workflow_uuid, key);
ALTER TABLE ONLY croft_dbos.workflow_input
    ADD CONSTRAINT workflow_input_pkey PRIMARY KEY (workflow_uuid);
ALTER TABLE ONLY croft_dbos.workflow_output
    ADD CONSTRAINT workflow_output_pkey PRIMARY KEY (workflow_uuid);
ALTER TABLE ONLY croft_dbos.workflow_schedules
    ADD CONSTRAINT workflow_schedules_pkey PRIMARY KEY (schedule_id);
ALTER TABLE ONLY croft_dbos.workflow_schedules
    ADD CONSTRAINT workflow_schedules_schedule_name_key UNIQUE (schedule_name);
ALTER TABLE ONLY croft_dbos.workflow_status
    ADD CONSTRAINT workflow_status_pkey PRIMARY KEY (workflow_uuid);
ALTER TABLE ONLY croft_runs.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (run_id, first);
ALTER TABLE ONLY croft_runs.executor
    ADD CONSTRAINT executor_pkey PRIMARY KEY (id);
ALTER TABLE ONLY croft_runs.intent
    ADD CONSTRAINT intent_pkey PRIMARY KEY (run_id, key);
ALTER TABLE ONLY croft_runs.memo
    ADD CONSTRAINT memo_pkey PRIMARY KEY (run_id, key);
ALTER TABLE ONLY croft_runs.question
    ADD CONSTRAINT question_pkey PRIMARY KEY (run_id, key);
ALTER TABLE ONLY croft_runs.run
    ADD CONSTRAINT run_pkey PRIMARY KEY (id);
ALTER TABLE ONLY croft_runs.run
    ADD CONSTRAINT run_trigger_key_key UNIQUE (trigger_key);
ALTER TABLE ONLY croft_runs.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (id);
CREATE INDEX idx_operation_outputs_completed_at_function_name_v2 ON croft_dbos.operation_outputs USING btree (completed_at_epoch_ms, function_name) INCLUDE (application_name);
CREATE INDEX idx_operation_outputs_retention ON croft_dbos.operation_outputs USING btree (retention_timestamp);
CREATE INDEX idx_workflow_input_retention ON croft_dbos.workflow_input USING btree (retention_timestamp);
CREATE INDEX idx_workflow_output_retention ON croft_dbos.workflow_output USING btree (retention_timestamp);
CREATE INDEX idx_workflow_status_attributes ON croft_dbos.workflow_status USING gin (attributes) WHERE (attributes IS NOT NULL);
CREATE INDEX idx_workflow_status_completed_at ON croft_dbos.workflow_status USING btree (completed_at) WHERE (completed_at IS NOT NULL);
CREATE INDEX idx_workflow_status_deadline ON croft_dbos.workflow_status USING btree (workflow_deadline_epoch_ms) WHERE ((status = ANY (ARRAY['ENQUEUED'::text, 'PENDING'::text, 'DELAYED'::text])) AND (workflow_deadline_epoch_ms IS NOT NULL));
CREATE INDEX idx_workflow_status_delayed ON croft_dbos.workflow_status USING btree (delay_until_epoch_ms) WHERE (status = 'DELAYED'::text);
CREATE INDEX idx_workflow_status_failed ON croft_dbos.workflow_status USING btree (status, created_at) WHERE (status = ANY (ARRAY['ERROR'::text, 'CANCELLED'::text, 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'::text]));
CREATE INDEX idx_workflow_status_forked_from ON croft_dbos.workflow_status USING btree (forked_from) WHERE (forked_from IS NOT NULL);
CREATE INDEX idx_workflow_status_in_flight_v2 ON croft_dbos.workflow_status USING btree (queue_name, status, priority, created_at) INCLUDE (application_name) WHERE (status = ANY (ARRAY['ENQUEUED'::text, 'PENDING'::text]));
CREATE INDEX idx_workflow_status_parent_workflow_id ON croft_dbos.workflow_status USING btree (parent_workflow_id) WHERE (parent_workflow_id IS NOT NULL);
CREATE INDEX idx_workflow_status_partition_dequeue_v3 ON croft_dbos.workflow_status USING btree (queue_name, status, queue_partition_key, priority, created_at, workflow_uuid) INCLUDE (application_name) WHERE ((status = ANY (ARRAY['ENQUEUED'::text, 'PENDING'::text])) AND (queue_partition_key IS NOT NULL));
CREATE INDEX idx_workflow_status_pending ON croft_dbos.workflow_status USING btree (created_at) WHERE (status = 'PENDING'::text);
CREATE INDEX idx_workflow_status_rate_limited ON croft_dbos.workflow_status USING btree (queue_name, started_at_epoch_ms) WHERE (rate_limited = true);
CREATE INDEX idx_workflow_status_schedule_name ON croft_dbos.workflow_status USING btree (schedule_name) WHERE (schedule_name IS NOT NULL);
CREATE INDEX idx_workflow_status_started_at ON croft_dbos.workflow_status USING btree (started_at_epoch_ms) WHERE (started_at_epoch_ms IS NOT NULL);
CREATE INDEX idx_workflow_topic ON croft_dbos.notifications USING btree (destination_uuid, topic);
CREATE UNIQUE INDEX uq_application_versions_owner_version ON croft_dbos.application_versions USING btree (application_name, version_name) WHERE (application_name IS NOT NULL);
CREATE UNIQUE INDEX uq_application_versions_unclaimed_version ON croft_dbos.application_versions USING btree (version_name) WHERE (application_name IS NULL);
CREATE UNIQUE INDEX uq_workflow_status_dedup_id ON croft_dbos.workflow_status USING btree (queue_name, deduplication_id) WHERE (deduplication_id IS NOT NULL);
CREATE INDEX workflow_status_created_at_index ON croft_dbos.workflow_status USING btree (created_at);
CREATE INDEX run_finished ON croft_runs.run USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX run_of_flow ON croft_runs.run USING btree (user_id, flow_id, created_at DESC, id DESC);
CREATE INDEX run_of_user ON croft_runs.run USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX run_open ON croft_runs.run USING btree (status, executor) WHERE (finished_at IS NULL);
CREATE INDEX schedule_due ON croft_runs.schedule USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE TRIGGER dbos_notifications_trigger AFTER INSERT ON croft_dbos.notifications FOR EACH ROW EXECUTE FUNCTION croft_dbos.notifications_function();
ALTER TABLE ONLY croft_dbos.notifications
    ADD CONSTRAINT notifications_destination_uuid_fkey FOREIGN KEY (destination_uuid) REFERENCES croft_dbos.workflow_status(workflow_uuid) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY croft_dbos.streams
    ADD CONSTRAINT streams_workflow_uuid_fkey FOREIGN KEY (workflow_uuid) REFERENCES croft_dbos.workflow_status(workflow_uuid) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY croft_dbos.workflow_events_history
    ADD CONSTRAINT workflow_events_history_workflow_uuid_fkey FOREIGN KEY (workflow_uuid) REFERENCES croft_dbos.workflow_status(workflow_uuid) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY croft_dbos.workflow_events
    ADD CONSTRAINT workflow_events_workflow_uuid_fkey FOREIGN KEY (workflow_uuid) REFERENCES croft_dbos.workflow_status(workflow_uuid) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY croft_runs.event
    ADD CONSTRAINT event_run_id_fkey FOREIGN KEY (run_id) REFERENCES croft_runs.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY croft_runs.intent
    ADD CONSTRAINT intent_run_id_fkey FOREIGN KEY (run_id) REFERENCES croft_runs.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY croft_runs.memo
    ADD CONSTRAINT memo_run_id_fkey FOREIGN KEY (run_id) REFERENCES croft_runs.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY croft_runs.question
    ADD CONSTRAINT question_run_id_fkey FOREIGN KEY (run_id) REFERENCES croft_runs.run(id) ON DELETE CASCADE;
