"""Settings, read from the environment (`YUKON_…`)."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from pydantic import Field, FilePath
from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT = Path(__file__).resolve().parent.parent
"""The project's folder, which holds templates, static files and migrations."""


class Settings(BaseSettings):
    """Everything that an operator can set; each field is the variable `YUKON_<FIELD>`."""

    model_config = SettingsConfigDict(
        env_prefix="YUKON_", frozen=True, ignored_types=(cached_property,)
    )

    database_url: str = Field("", description="SQLAlchemy URL; empty: an SQLite file in data_dir")
    data_dir: Path = Field(ROOT / "data", description="Where the SQLite file lies")
    secure_cookies: bool | None = Field(
        None, description="Force the cookies' Secure flag; unset: Secure over https"
    )
    max_body_bytes: int = Field(64 * 1024, ge=1024, description="Larger requests get 413")
    workers: int = Field(1, ge=0, le=64, description="Solver processes that `yukon serve` starts")
    pool_size: int = Field(10, ge=1, description="Connections kept to PostgreSQL")
    fastest_move_ms: int = Field(
        200,
        ge=0,
        le=10_000,
        description="Games whose moves came faster than this on the whole are reviewed; 0: none",
    )
    refused_names: FilePath | None = Field(
        None, description="A file of further names that nobody may have"
    )
    password_memory_kib: int = Field(
        65_536, ge=32, description="What hashing a password takes; older hashes are renewed"
    )
    sqlite_synchronous: str = Field(
        "NORMAL", pattern="^(NORMAL|FULL|EXTRA)$", description="FULL survives a power cut as well"
    )

    @cached_property
    def url(self) -> str:
        """The database's SQLAlchemy URL, with the driver named."""
        if not self.database_url:
            return f"sqlite:///{self.data_dir / 'yukon.db'}"
        for scheme in ("postgresql://", "postgres://"):
            if self.database_url.startswith(scheme):
                return "postgresql+psycopg://" + self.database_url.removeprefix(scheme)
        return self.database_url
